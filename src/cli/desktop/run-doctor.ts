/** Examines what is installed, or one target that is not, and tells it check by check. */
import {
  type ApplicationId,
  applicationIds,
  applicationOf,
  type Check,
  type CommandLaunch,
  type Examination,
  type ExamineOptions,
  examineFile,
  examineLaunch,
  type Launch,
  launchCommand,
  type Machine,
  maskWords,
  nameFrom,
} from "../../desktop/index.ts";
import { isOpenMcpError, OpenMcpError } from "../../spec/index.ts";
import { exitCodes } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { endpointOf, isUrl } from "./endpoint-of.ts";
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
  const clients = client === undefined || client === "all" ? applicationIds : client;
  const examined = await (direct
    ? examineDirect(target, options)
    : examineNamed(shell, { name: first ?? null, clients, anywhere: client === undefined }, options)
  ).finally(() => progress.close());
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
      : await asInstalled(target, options.machine);
  const name = maskWords(target).join(" ");
  return [{ client: null, scope: null, name, path: null, checks: await examineLaunch(launch, options) }];
}

/** As `install` would write it; what it refuses is looked at as it is, for its cause and cure. */
async function asInstalled(
  [command = "", ...args]: readonly string[],
  machine: Machine,
): Promise<CommandLaunch> {
  try {
    return (await launchCommand([command, ...args], { env: {}, machine })).launch;
  } catch (error) {
    if (!isOpenMcpError(error, "invalid-input")) throw error;
    return { kind: "command", command, args, env: {} };
  }
}

/** By the name in an application, or the relay's id that the name was made of; a relay that is in none is asked as a URL. */
async function examineNamed(
  shell: Shell,
  {
    name,
    clients,
    anywhere,
  }: {
    readonly name: string | null;
    readonly clients: readonly ApplicationId[];
    /** No application was asked for. */
    readonly anywhere: boolean;
  },
  options: ExamineOptions,
): Promise<readonly Examination[]> {
  const installed = await examineInstalled({ name, clients }, options);
  if (name === null) {
    if (installed.length > 0) return installed;
    throw new OpenMcpError(
      "not-found",
      "No application on this machine has a server. Did you mean to install one? `openmcp install` does.",
    );
  }
  if (installed.some((each) => !isMissing(each))) return installed;
  const made = nameFrom(name);
  const byId = made === name ? [] : await examineInstalled({ name: made, clients }, options);
  if (byId.some((each) => !isMissing(each))) return byId;
  if (!anywhere && installed.length > 0) return installed;
  const url = anywhere ? await relayUrl(shell, name) : null;
  if (url !== null) return examineDirect([url], options);
  throw new OpenMcpError(
    "not-found",
    `No application has a server "${name}", and no catalog that answers a relay of that id. Did you mean another? \`openmcp doctor\` alone looks at all.`,
  );
}

/** Null without such a relay, or without a catalog. */
async function relayUrl(shell: Shell, id: string): Promise<string | null> {
  try {
    return (await endpointOf(shell, id)).url;
  } catch (error) {
    if (!isOpenMcpError(error) || error.code === "aborted") throw error;
    return null;
  }
}

function isMissing({ checks }: Examination): boolean {
  return checks.some(({ what, state }) => what === "entry" && state === "bad");
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
  // A name is in one application and not in the next: only when it is nowhere is that worth a word.
  const found = name === null ? all : all.filter((each) => !isMissing(each));
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
