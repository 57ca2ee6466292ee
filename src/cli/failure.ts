/**
 * Errors for people and for machines: what happened, what to do about it, the exit code. The cure is the command line's
 * own, in its own words (flags and variables); what a catalog or a relay said is made printable first.
 */
import { CommanderError } from "commander";
import { type ErrorCode, isJsonObject, isOpenMcpError, OpenMcpError } from "../spec/index.ts";
import { exitCodeOf } from "./exit-code.ts";
import { probeSteps } from "./format/probe-steps.ts";
import { printable, printableLine } from "./terminal/printable.ts";
import type { Style } from "./terminal/style.ts";

export interface Failure {
  readonly text: string;
  readonly json: {
    readonly ok: false;
    readonly code: ErrorCode;
    readonly error: string;
    readonly cure?: string;
    readonly exitCode: number;
    readonly data?: Readonly<Record<string, unknown>>;
  };
  readonly exitCode: number;
}

export interface FailureView {
  readonly style: Style;
  /** The command that was asked for, when there is one of that name: its own help is the nearest. */
  readonly command?: string | undefined;
}

export function presentFailure(thrown: unknown, { style, command }: FailureView): Failure {
  const error = asOpenMcpError(thrown);
  const { message: stated, cure } = explain(error, command);
  const message = asSentence(stated);
  const exitCode = exitCodeOf(error.code);
  const lines = [`${style.bad("✗")} ${printable(message)}`];
  const evidence = evidenceOf(error, style);
  if (evidence !== "") lines.push(evidence);
  if (cure !== undefined) lines.push(`  ${cure}`);
  return {
    text: lines.join("\n"),
    exitCode,
    json: {
      ok: false,
      code: error.code,
      error: message,
      ...(cure === undefined ? {} : { cure }),
      exitCode,
      ...(Object.keys(error.data).length === 0 ? {} : { data: error.data }),
    },
  };
}

function asOpenMcpError(thrown: unknown): OpenMcpError {
  if (isOpenMcpError(thrown)) return thrown;
  if (thrown instanceof CommanderError) {
    // A command with actions, and none named.
    if (thrown.code === "commander.help") {
      return new OpenMcpError("invalid-input", "Name what to do.", { data: { usage: thrown.code } });
    }
    return new OpenMcpError("invalid-input", usageMessage(thrown.message), { data: { usage: thrown.code } });
  }
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new OpenMcpError("internal", `This is a defect in openmcp: ${reason}`, { cause: thrown });
}

/** Commander's `error: unknown command 'relay'\n(Did you mean relays?)` as sentences of ours. */
function usageMessage(message: string): string {
  const [first = "", ...rest] = message
    .replace(/^error: /, "")
    .replace(
      /^command-argument value '(.*)' is invalid for argument '(.*)'\./,
      "Argument '$1' is invalid for <$2>.",
    )
    // Who forgot the name before the value gave the credential alone.
    .replace(
      /^(option '--(?:env|header|[a-z-]*token|[a-z-]*secret)\b[^']*') (?:argument|value) '.*' (is invalid|from env)/s,
      "$1 $2",
    )
    .split("\n");
  const more = rest.map((line) => line.replace(/^\((.*)\)$/, "$1").trim()).filter((line) => line !== "");
  return [asSentence(first), ...more].join(" ");
}

/** Catalogs begin their details in lower case, without a full stop. A URL or an id at the beginning stays as it is. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  const sentence = /^[a-z]+[ ,]/.test(trimmed) ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1) : trimmed;
  return sentence === "" || (/[.!?…"]$/.test(sentence) && !/[^.!?]"$/.test(sentence))
    ? sentence
    : `${sentence}.`;
}

function explain(
  error: OpenMcpError,
  command: string | undefined,
): { readonly message: string; readonly cure?: string } {
  const { message, data } = error;
  // What is no relay has no relay's cure.
  if (typeof data.document === "string") return { message };
  switch (error.code) {
    case "catalog-unreachable": {
      if (typeof data.catalog !== "string") return { message };
      const reason = typeof data.reason === "string" ? ` (${data.reason})` : "";
      return {
        message: `No catalog answers at ${data.catalog}${reason}.`,
        cure: "Start one with `openmcp serve`, or name another with --catalog.",
      };
    }
    case "catalog-answer":
      return { message, cure: "Name a catalog with --catalog or OPENMCP_CATALOG." };
    case "not-found":
      return notFound(error);
    case "unauthorized":
      // A catalog without an admin token takes none: what it says of itself is the whole cure.
      return /\bhas no admin token\b/.test(message)
        ? { message }
        : {
            // How it is sent is for who writes the request; here an option does.
            message: message.replace(/: send it as Authorization: Bearer <[^>]*>/, ""),
            cure: "Give the catalog's admin token with --token or OPENMCP_TOKEN.",
          };
    case "relay-refused":
      return {
        message: message.replace(/: give one as the token of the call; [^.]*/, ""),
        cure: "Give your credential for the relay with --relay-token or OPENMCP_RELAY_TOKEN.",
      };
    case "unsupported-transport":
      return {
        message:
          typeof data.method === "string" ? `A catalog has no MCP tool for "${data.method}".` : message,
        cure: "Leave out --transport mcp: REST can do it.",
      };
    case "timeout":
    case "relay-timeout":
      return { message, cure: "Allow more time with --timeout, such as --timeout 2m." };
    case "rate-limited":
      if (/try again in/i.test(message)) return { message };
      return {
        message,
        cure:
          typeof data.retryAfterSeconds === "number"
            ? `Try again in ${data.retryAfterSeconds} s.`
            : "Try again later.",
      };
    case "gone":
      return { message, cure: "`openmcp watch --since start` begins with the oldest that is kept." };
    case "internal":
      return { message, cure: "Please report it, with the command that showed it." };
    case "invalid-input":
      return typeof data.usage === "string"
        ? {
            message,
            cure:
              command === undefined
                ? "`openmcp --help` lists the commands."
                : `\`openmcp ${command} --help\` shows how it is used.`,
          }
        : { message };
    default:
      return { message };
  }
}

/** Catalogs say "list them"; here a command does, and it is named for what is not there. */
function notFound({ message, data }: OpenMcpError): { readonly message: string; readonly cure?: string } {
  if (/did you mean|`openmcp /i.test(message)) return { message };
  const what = message.replace(/: list (?:the|its) \w{1,40} to see their \w{1,40}$/, "");
  if (/\bimport\b/.test(what)) return { message: what, cure: "`openmcp import list` lists the imports." };
  if (/\bpeer\b/.test(what)) return { message: what, cure: "`openmcp peer list` lists the peers." };
  if (typeof data.tool === "string" && typeof data.relay === "string") {
    return {
      message: what,
      cure: `\`openmcp tools ${printableLine(data.relay)}\` lists the tools that it has.`,
    };
  }
  if (/\brelay\b/.test(what)) return { message: what, cure: "`openmcp relays` lists the relays." };
  return { message: what };
}

/** What a refused registration saw, step by step. */
function evidenceOf(error: OpenMcpError, style: Style): string {
  const probe = error.data.probe;
  if (error.code !== "not-listed" || !isJsonObject(probe) || !Array.isArray(probe.steps)) return "";
  const lines = probeSteps(probe.steps, style).map((line) => `    ${line}`);
  const state = typeof probe.state === "string" ? `  State: ${printableLine(probe.state)}` : "";
  return [state, ...lines].filter((line) => line !== "").join("\n");
}
