/** Carries plans out, one application after the other, and tells of each: file, change, what to do next. One that fails stops no other. */
import type { ApplicationId, DiffLine, Plan } from "../../desktop/index.ts";
import { isOpenMcpError, type OpenMcpError } from "../../spec/index.ts";
import { exitCodeOf, exitCodes } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { printableLine } from "../terminal/printable.ts";

export interface PlannedChange {
  readonly client: ApplicationId;
  readonly plan: () => Promise<Plan>;
}

interface Outcome {
  readonly client: ApplicationId;
  readonly plan: Plan | null;
  readonly backup: string | null;
  readonly error: OpenMcpError | null;
}

export async function carryOut(
  shell: Shell,
  {
    changes,
    dryRun,
    remarks,
  }: {
    readonly changes: readonly PlannedChange[];
    readonly dryRun: boolean;
    readonly remarks: readonly string[];
  },
): Promise<number> {
  const outcomes: Outcome[] = [];
  for (const { client, plan: make } of changes) {
    const outcome = await one(client, { make, dryRun });
    outcomes.push(outcome);
    if (!shell.json) tell(shell, outcome, dryRun);
  }
  for (const remark of remarks) shell.note(`${shell.noteStyle.warn("!")} ${printableLine(remark)}`);
  const failed = outcomes.find(({ error }) => error !== null)?.error ?? null;
  if (shell.json) {
    shell.printJson({
      ok: failed === null,
      dryRun,
      remarks,
      clients: outcomes.map((outcome) => asJson(outcome)),
    });
  }
  if (failed !== null) return exitCodeOf(failed.code);
  return outcomes.every(({ plan }) => plan?.outcome === "absent") ? exitCodes.no : exitCodes.ok;
}

async function one(
  client: ApplicationId,
  { make, dryRun }: { readonly make: () => Promise<Plan>; readonly dryRun: boolean },
): Promise<Outcome> {
  try {
    const plan = await make();
    const { backup } = dryRun ? { backup: null } : await plan.carryOut();
    return { client, plan, backup, error: null };
  } catch (error) {
    if (!isOpenMcpError(error)) throw error;
    return { client, plan: null, backup: null, error };
  }
}

const WORDS: Readonly<Record<Plan["outcome"], readonly [done: string, would: string]>> = {
  added: ["is added", "would be added"],
  changed: ["is changed", "would be changed"],
  removed: ["is taken out", "would be taken out"],
  unchanged: ["is there already, just so", "is there already, just so"],
  absent: ["is not in it", "is not in it"],
};

function tell(shell: Shell, { client, plan, backup, error }: Outcome, dryRun: boolean): void {
  const { style, noteStyle } = shell;
  if (plan === null) {
    shell.note(`${noteStyle.bad("✗")} ${client}: ${printableLine(error?.message ?? "")}`);
    return;
  }
  const nothing = plan.outcome === "unchanged" || plan.outcome === "absent";
  const mark = nothing ? style.quiet("·") : dryRun ? style.warn("~") : style.good("✓");
  const [done, would] = WORDS[plan.outcome];
  shell.print(
    `${mark} ${style.strong(plan.application.title)}: ${printableLine(plan.name)} ${dryRun ? would : done}`,
  );
  shell.print(`  ${style.quiet(printableLine(plan.path))}`);
  for (const line of plan.diff) shell.print(`    ${painted(line, shell)}`);
  if (backup !== null) shell.print(style.quiet(`  Before: ${printableLine(backup)}`));
  for (const remark of plan.remarks) shell.note(`  ${noteStyle.warn("!")} ${printableLine(remark)}`);
  if (!nothing && !dryRun) shell.print(`  ${plan.application.restart}`);
}

function painted({ kind, text }: DiffLine, { style }: Shell): string {
  // How deep it stands is a part of it.
  const [indent = ""] = /^[ \t]*/.exec(text) ?? [];
  const line = `${indent.replaceAll("\t", "  ")}${printableLine(text)}`;
  switch (kind) {
    case "added":
      return style.good(`+ ${line}`);
    case "removed":
      return style.bad(`- ${line}`);
    case "gap":
      return style.quiet("  …");
    case "same":
      return style.quiet(`  ${line}`);
  }
}

function asJson({ client, plan, backup, error }: Outcome): object {
  if (plan === null)
    return { client, ok: false, code: error?.code, error: error?.message, data: error?.data };
  const { application, scope, name, path, outcome, diff, remarks } = plan;
  return {
    client,
    ok: true,
    scope,
    name,
    path,
    outcome,
    backup,
    diff,
    remarks,
    restart: application.restart,
  };
}
