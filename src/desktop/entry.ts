/** From how a server is reached to an application's entry for it. Pure. */
import { type JsonObject, type JsonValue, OpenMcpError } from "../spec/index.ts";
import type { Application } from "./applications.ts";
import { MAX_NAME_CHARS } from "./limits.ts";

export interface CommandLaunch {
  readonly kind: "command";
  /** Absolute. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface HttpLaunch {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How a server is reached. */
export type Launch = CommandLaunch | HttpLaunch;

/** A secret that the application asks its user for (VS Code). */
export interface SecretInput extends JsonObject {
  readonly type: "promptString";
  readonly id: string;
  readonly description: string;
  readonly password: true;
}

export interface Entry {
  readonly value: JsonObject;
  readonly inputs: readonly SecretInput[];
}

/** @throws OpenMcpError `invalid-input` for a URL where the application takes none. */
export function entryFor(
  application: Application,
  { name, launch }: { readonly name: string; readonly launch: Launch },
): Entry {
  const { shape } = application;
  const inputs: SecretInput[] = [];
  const asked = application.inputs
    ? (values: Values, secret: Secret) => promptFor(values, { name, secret, inputs })
    : plain;
  if (launch.kind === "http") {
    if (shape.http === null) {
      throw new OpenMcpError(
        "invalid-input",
        `${application.title} takes commands in its file, and no URLs.`,
        {
          data: { field: "client" },
        },
      );
    }
    const headers = asked(launch.headers, () => true);
    const value = {
      ...(shape.also.http as JsonObject),
      [shape.http.url]: launch.url,
      ...(Object.keys(headers).length === 0 ? {} : { [shape.http.headers]: headers }),
    };
    return { value, inputs };
  }
  const { command, args, env } = shape.command;
  const values = asked(launch.env, isSecretName);
  const value: JsonObject = {
    ...(shape.also.command as JsonObject),
    ...(command === args
      ? { [command]: [launch.command, ...launch.args] }
      : { [command]: launch.command, [args]: [...launch.args] }),
    ...(Object.keys(values).length === 0 ? {} : { [env]: values }),
  };
  return { value, inputs };
}

/** Reads an entry of the application, as far as it is one. */
export function launchOf(application: Application, entry: JsonValue | undefined): Launch | null {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return null;
  const { shape } = application;
  const object = entry as JsonObject;
  const url = shape.http === null ? undefined : (object[shape.http.url] ?? object.url);
  if (typeof url === "string") {
    return { kind: "http", url, headers: strings(object[shape.http?.headers ?? "headers"]) };
  }
  const words = object[shape.command.command];
  const env = strings(object[shape.command.env]);
  if (Array.isArray(words) && words.every((word): word is string => typeof word === "string")) {
    const [command = "", ...args] = words;
    return { kind: "command", command, args, env };
  }
  if (typeof words !== "string") return null;
  const given = object[shape.command.args];
  const args = Array.isArray(given) ? given.filter((word): word is string => typeof word === "string") : [];
  return { kind: "command", command: words, args, env };
}

/** @throws OpenMcpError `invalid-input` for what some application would not take as a name. */
export function assertName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name) && name.length <= MAX_NAME_CHARS) return;
  throw new OpenMcpError(
    "invalid-input",
    `A server's name is 1 to ${MAX_NAME_CHARS} letters, digits, "-" and "_", not "${name}". Give one with --name.`,
    { data: { field: "name" } },
  );
}

/** A name that every application takes, of whatever names the server. */
export function nameFrom(text: string): string {
  const name = text
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .slice(0, MAX_NAME_CHARS)
    .replace(/^[-_]+/, "")
    .replace(/-$/, "");
  return name === "" ? "server" : name;
}

/** True for a variable whose value is likely a credential. */
export function isSecretName(name: string): boolean {
  return /token|secret|passw|api_?key|private|credential|auth|(?:^|_)key(?:$|_)|(?:^|_)pat$/i.test(name);
}

/** True for a variable that says where things are and how they are set, and holds no credential. */
export function isPlainName(name: string): boolean {
  return /^(?:PATH|HOME|USER|SHELL|PWD|TMPDIR|LANG|LC_[A-Z]+|TZ|TERM|NO_COLOR|NODE_ENV|NODE_PATH|PYTHONPATH|PORT|HOST|LOG_LEVEL)$/.test(
    name,
  );
}

type Values = Readonly<Record<string, string>>;
type Secret = (name: string) => boolean;

const plain = (values: Values): Record<string, string> => ({ ...values });

/** The secrets of these values are asked for when the application needs them; they are in no file. */
function promptFor(
  values: Values,
  {
    name,
    secret,
    inputs,
  }: { readonly name: string; readonly secret: Secret; readonly inputs: SecretInput[] },
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (!secret(key) || value.includes("${")) return [key, value];
      const id = `${name}-${key.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
      inputs.push({ type: "promptString", id, description: `${key} for ${name}`, password: true });
      // The scheme is no secret, and nobody would think of typing it.
      const scheme = /^(?:Bearer|Basic|Token) /i.exec(value)?.[0] ?? "";
      return [key, `${scheme}\${input:${id}}`];
    }),
  );
}

function strings(value: JsonValue | undefined): Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
