/** Examines what is installed, or one target that is not, and tells it check by check. */
import {
  type ApplicationId,
  applicationIds,
  applicationOf,
  type Check,
  type Examination,
  type ExamineOptions,
  examineFile,
  examineLaunch,
  type Launch,
  maskWords,
} from "../../desktop/index.ts";
import { OpenMcpError } from "../../spec/index.ts";
import { exitCodes } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { isUrl } from "./endpoint-of.ts";
import { steadyFetch } from "./steady-fetch.ts";
import { thisMachine } from "./this-machine.ts";
import type { ClientChoice } from "./which-clients.ts";

export interface DoctorOptions {
  readonly client?: ClientChoice;
}

export async function runDoctor(
  shell: Shell,
  { client, target }: DoctorOptions & { readonly target: readonly string[] },
): Promise<number> {
  await using steady = steadyFetch();
  const machine = thisMachine(shell);
  const options: ExamineOptions = {
    machine,
    fetch: steady.fetch,
    signal: shell.signal,
    ...(shell.options.timeout === undefined ? {} : { timeoutMs: shell.options.timeout }),
  };
  const [first] = target;
  const direct = first !== undefined && (target.length > 1 || isUrl(first) || /[\\/]/.test(first));
  const progress = await shell.progress();
  progress.update("Looking");
  const examined = await (direct
    ? examineDirect(target, options)
    : examineInstalled(
        { name: first ?? null, clients: client === undefined || client === "all" ? applicationIds : client },
        options,
      )
  ).finally(() => progress.close());
  if (examined.length === 0) {
    throw new OpenMcpError(
      "not-found",
      first === undefined
        ? "No application on this machine has a server. Did you mean to install one? `openmcp install` does."
        : `No application has a server "${first}". Did you mean another? \`openmcp doctor\` alone looks at all.`,
    );
  }
  const wrong = examined.some(({ checks }) => checks.some(({ state }) => state === "bad"));
  if (shell.json) shell.printJson({ ok: !wrong, examined });
  else for (const each of examined) tell(shell, each);
  return wrong ? exitCodes.no : exitCodes.ok;
}

async function examineDirect(
  target: readonly string[],
  options: ExamineOptions,
): Promise<readonly Examination[]> {
  const [first = "", ...args] = target;
  const launch: Launch =
    isUrl(first) && args.length === 0
      ? { kind: "http", url: first, headers: {} }
      : { kind: "command", command: first, args, env: {} };
  const name = maskWords(target).join(" ");
  return [{ client: null, scope: null, name, path: null, checks: await examineLaunch(launch, options) }];
}

async function examineInstalled(
  { name, clients }: { readonly name: string | null; readonly clients: readonly ApplicationId[] },
  options: ExamineOptions,
): Promise<readonly Examination[]> {
  const all: Examination[] = [];
  for (const client of clients) {
    for (const scope of applicationOf(client).scopes) {
      options.signal.throwIfAborted();
      all.push(...(await examineFile({ client, scope, name }, options)));
    }
  }
  const missing = ({ checks }: Examination): boolean =>
    checks.some(({ what, state }) => what === "entry" && state === "bad");
  // A name is in one application and not in the next: only when it is nowhere is that worth a word.
  const found = name === null ? all : all.filter((each) => !missing(each));
  return found.length > 0 ? found : all;
}

function tell(shell: Shell, { client, scope, name, path, checks }: Examination): void {
  const { style } = shell;
  const where =
    client === null ? "" : `${applicationOf(client).title}${scope === "project" ? " (project)" : ""}: `;
  shell.print(style.heading(`${where}${printableLine(name ?? path ?? "")}`));
  const width = Math.max(...checks.map(({ what }) => what.length));
  for (const check of checks) for (const line of lines(check, { style, width })) shell.print(line);
}

function lines(
  { what, state, detail, cure }: Check,
  { style, width }: { readonly style: Style; readonly width: number },
): readonly string[] {
  const mark = state === "good" ? style.good("✓") : state === "warning" ? style.warn("!") : style.bad("✗");
  const told = `  ${mark} ${what.padEnd(width)}  ${printableLine(detail)}`;
  return cure === undefined
    ? [told]
    : [told, `    ${" ".repeat(width)}  ${style.quiet(`→ ${printableLine(cure)}`)}`];
}
