/**
 * A server put into an application, or taken out: planned first, so that it can be shown, and carried out by one write. Knows no
 * terminal, and starts nothing.
 */
import { isJsonObject, type JsonObject, type JsonValue, OpenMcpError } from "../spec/index.ts";
import {
  type Application,
  type ApplicationId,
  applicationOf,
  configPath,
  type Scope,
} from "./applications.ts";
import { type ConfigFile, readConfigFile, type Written, writeConfigFile } from "./config-file.ts";
import type { Change } from "./edit/change.ts";
import { type DiffLine, diffConfig } from "./edit/diff.ts";
import { editConfig, readConfig } from "./edit/edit.ts";
import { assertName, entryFor, type Launch, launchOf, type SecretInput } from "./entry.ts";
import { MAX_NAME_CHARS, MAX_NAMESAKES } from "./limits.ts";
import type { Machine } from "./machine.ts";
import { isSameServer } from "./same-server.ts";

export interface Place {
  readonly client: ApplicationId;
  readonly scope: Scope;
  readonly machine: Machine;
}

export interface Plan {
  readonly application: Application;
  readonly scope: Scope;
  readonly name: string;
  readonly path: string;
  readonly outcome: "added" | "changed" | "removed" | "unchanged" | "absent";
  /** Without the values of environments and headers. */
  readonly diff: readonly DiffLine[];
  /** What a person should know, as sentences. */
  readonly remarks: readonly string[];
  /** Writes it. Nothing, when nothing changes. @throws OpenMcpError `conflict` when the file changed since it was planned. */
  carryOut(): Promise<Written>;
}

export interface Wanted {
  readonly name: string;
  /** Names to take where another server has that one; absent: it is a person's choice, and replaces what is there. */
  readonly otherwise?: readonly string[];
  readonly launch: Launch;
  readonly secrets: readonly string[];
}

/** @throws OpenMcpError when the file does not parse, or has no room for the entry. */
export async function planInstall(place: Place, wanted: Wanted): Promise<Plan> {
  assertName(wanted.name);
  const { launch, secrets } = wanted;
  const { application, file, config } = await openPlace(place);
  const { name, remarks } = chosenName(entriesOf(config, application), { application, wanted });
  const { value: made, inputs } = entryFor(application, { name, launch });
  const there = entriesOf(config, application)[name];
  const value = { ...addedByHand(there, application), ...made };
  const changes: Change[] = [{ path: [application.key, name], value }, ...inputChanges(config, inputs)];
  return planned(place, {
    name,
    application,
    file,
    changes,
    secrets,
    outcome: there === undefined ? "added" : "changed",
    remarks: [...remarks, ...remarksOn(application, file)],
  });
}

/** `absent` when there is no such entry; that is no error. */
export async function planUninstall(place: Place, name: string): Promise<Plan> {
  const { application, file, config } = await openPlace(place);
  const there = entriesOf(config, application)[name] !== undefined;
  const inputs = Array.isArray(config.inputs) ? config.inputs : [];
  const left = inputs.filter(
    (input) => !(isJsonObject(input) && belongsTo(input.id, name, config, application)),
  );
  const changes: Change[] = there
    ? [
        { path: [application.key, name], value: undefined },
        ...(application.inputs && left.length < inputs.length ? [{ path: ["inputs"], value: left }] : []),
      ]
    : [];
  return planned(place, {
    name,
    application,
    file,
    changes,
    secrets: [],
    outcome: there ? "removed" : "absent",
    remarks: [],
  });
}

/** The application's servers, by their names; empty when there is no file. @throws OpenMcpError when the file does not parse. */
export async function readEntries(place: Place): Promise<{
  readonly application: Application;
  readonly path: string;
  readonly exists: boolean;
  readonly entries: JsonObject;
}> {
  const { application, file, config } = await openPlace(place);
  return {
    application,
    path: file.path,
    exists: file.bytes !== null,
    entries: entriesOf(config, application),
  };
}

async function openPlace({ client, scope, machine }: Place) {
  const application = applicationOf(client);
  const path = await configPath(client, { scope, machine });
  const file = await readConfigFile(path);
  const read = readConfig(file.text, application.format);
  if ("fault" in read) {
    const { line, column, reason } = read.fault;
    throw new OpenMcpError(
      "invalid-input",
      `${path} does not parse, and is left as it is: line ${line}, column ${column}: ${reason}.`,
      { data: { path, line, column } },
    );
  }
  return { application, file, config: read.value };
}

function planned(
  { scope }: Place,
  {
    name,
    application,
    file,
    changes,
    secrets,
    outcome,
    remarks,
  }: {
    readonly name: string;
    readonly application: Application;
    readonly file: ConfigFile;
    readonly changes: readonly Change[];
    readonly secrets: readonly string[];
    readonly outcome: "added" | "changed" | "removed" | "absent";
    readonly remarks: readonly string[];
  },
): Plan {
  const { format } = application;
  const after = changes.length === 0 ? file.text : editConfig(file.text, { format, changes });
  const unchanged = after === file.text;
  return {
    application,
    scope,
    name,
    path: file.path,
    outcome: unchanged && outcome !== "absent" ? "unchanged" : outcome,
    diff: diffConfig(file.text, after, { format, secrets }),
    remarks,
    carryOut: async () => (unchanged ? { backup: null } : writeConfigFile(file, after)),
  };
}

function entriesOf(config: JsonObject, application: Application): JsonObject {
  const held = Object.hasOwn(config, application.key) ? config[application.key] : undefined;
  // A server may be called "constructor": without a prototype nothing is there but what is written.
  return Object.assign(Object.create(null) as JsonObject, isJsonObject(held) ? held : {});
}

/** The name under which the server is there already, else one that no other server has. */
function chosenName(
  entries: JsonObject,
  { application, wanted }: { readonly application: Application; readonly wanted: Wanted },
): { readonly name: string; readonly remarks: readonly string[] } {
  const { name, otherwise, launch } = wanted;
  const isOurs = (candidate: string): boolean => {
    const there = launchOf(application, entries[candidate]);
    return there !== null && isSameServer(there, launch);
  };
  if (otherwise === undefined) {
    const replaces = entries[name] !== undefined && !isOurs(name);
    return {
      name,
      remarks: replaces ? [`Another server was called "${name}"; this one takes its place.`] : [],
    };
  }
  const numbered = Array.from({ length: MAX_NAMESAKES }, (_, at) => numberedName(name, at + 2));
  const names = [name, ...otherwise, ...numbered];
  const chosen = names.find(isOurs) ?? names.find((candidate) => entries[candidate] === undefined);
  if (chosen === undefined) {
    throw new OpenMcpError(
      "invalid-input",
      `There are many servers called "${name}": give this one a --name.`,
      {
        data: { field: "name" },
      },
    );
  }
  assertName(chosen);
  return {
    name: chosen,
    remarks:
      chosen === name || isOurs(chosen)
        ? []
        : [`Another server is called "${name}"; this one is "${chosen}".`],
  };
}

function numberedName(name: string, number: number): string {
  const end = `-${number}`;
  return `${name.slice(0, MAX_NAME_CHARS - end.length)}${end}`;
}

/** Members that no entry of ours has: a person's own, such as a time limit or what is allowed without asking. */
function addedByHand(there: JsonValue | undefined, { shape }: Application): JsonObject {
  if (!isJsonObject(there)) return {};
  const { command, http, also } = shape;
  const ours = new Set([
    "url",
    ...Object.values(command),
    ...Object.values(http ?? {}),
    ...Object.keys({ ...also.command, ...also.http }),
  ]);
  return Object.fromEntries(Object.entries(there).filter(([key]) => !ours.has(key)));
}

function inputChanges(config: JsonObject, inputs: readonly SecretInput[]): readonly Change[] {
  if (inputs.length === 0) return [];
  const there = Array.isArray(config.inputs) ? config.inputs : [];
  const ids = new Set<JsonValue | undefined>(
    there.map((input) => (isJsonObject(input) ? input.id : undefined)),
  );
  const missing = inputs.filter(({ id }) => !ids.has(id));
  return missing.length === 0 ? [] : [{ path: ["inputs"], value: [...there, ...missing] }];
}

/** Made for this server, and asked for by no other. */
function belongsTo(
  id: JsonValue | undefined,
  name: string,
  config: JsonObject,
  application: Application,
): boolean {
  if (typeof id !== "string" || !id.startsWith(`${name}-`)) return false;
  const others = Object.entries(entriesOf(config, application)).filter(([other]) => other !== name);
  return !JSON.stringify(others).includes(`\${input:${id}}`);
}

function remarksOn(application: Application, file: ConfigFile): readonly string[] {
  if (application.format !== "json" || application.comments || file.text.trim() === "") return [];
  try {
    JSON.parse(file.text.replace(/^\uFEFF/, ""));
    return [];
  } catch {
    return [
      `${application.title} reads plain JSON only, and this file has comments or trailing commas: it may not read it at all.`,
    ];
  }
}
