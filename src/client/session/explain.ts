/**
 * From what the SDK's client rejects with, and what the link knows beside it, to the one error of a connection. Pure.
 */
import { isJsonObject } from "../../spec/index.ts";
import { causes } from "../causes.ts";
import { ConnectError, isConnectError } from "../connect-error.ts";
import { seconds } from "../deadline.ts";
import { explainMcp, type McpFailure } from "../explain-mcp.ts";
import { EXCERPT_CHARS } from "../limits.ts";
import type { LinkEvidence } from "./link.ts";

export interface Circumstances {
  /** How errors call the server. */
  readonly label: string;
  readonly kind: "http" | "command" | "streams" | "transport";
  readonly evidence: LinkEvidence;
  /** By what it was ended, when it was: the caller, or the time. */
  readonly ended: "signal" | "time" | null;
  readonly timeoutMs: number;
}

/** The error of a handshake. */
export function explainHandshake(error: unknown, circumstances: Circumstances): ConnectError {
  if (isConnectError(error)) return error;
  const { label, kind, evidence, ended, timeoutMs } = circumstances;
  const http = kind === "http";
  const stray = strayWords(evidence);
  if (ended === "signal")
    return new ConnectError("aborted", "Connecting was ended before it was done.", { cause: error });
  const failure = explainMcp(error);
  if (ended === "time" || (failure.kind === "timeout" && (evidence.exit ?? null) === null)) {
    return new ConnectError(
      "connect/timeout",
      `${label} gave no complete answer to the handshake within ${seconds(timeoutMs)}.${stray}${stderrWords(evidence)}`,
      { data: { timeoutMs, ...told(evidence) }, cause: error },
    );
  }
  if (evidence.exit !== undefined && evidence.exit !== null) return exited(error, circumstances);
  const version = versionFault(error);
  if (version !== null) {
    return new ConnectError(
      "connect/version",
      `${label} speaks no version that this client does: it offers ${version.offered.join(", ") || "none"}.`,
      { data: version, cause: error },
    );
  }
  if (closedWord(error)) {
    return new ConnectError(
      "connect/closed",
      `${label} ended the connection before the handshake was done.${stray}`,
      {
        data: told(evidence),
        cause: error,
      },
    );
  }
  switch (failure.kind) {
    case "refused":
      return refused(error, { label, status: failure.status, evidence });
    case "rpc":
      return new ConnectError(
        "connect/initialize",
        `${label} answers the handshake with an error: ${failure.rpc.message} (${failure.rpc.code}).`,
        { data: { rpc: failure.rpc }, cause: error },
      );
    case "not-mcp": {
      const shape = shapeFault(error);
      if (shape !== null && (failure.status === null || failure.status < 300)) {
        return new ConnectError(
          "connect/decode",
          `${label} answers the handshake, but not in its shape: ${shape}.${stray}`,
          { data: { excerpt: shape }, cause: error },
        );
      }
      return new ConnectError(
        "connect/not-mcp",
        `${label} answers${failure.status === null ? "" : ` (${failure.status})`}, but not as MCP.${http ? " Does the URL include the endpoint's path, such as /mcp?" : ""}`,
        { data: { status: failure.status }, cause: error },
      );
    }
    case "timeout":
    case "aborted":
    case "unreachable": {
      const reason = failure.kind === "unreachable" && failure.reason !== null ? ` (${failure.reason})` : "";
      const message = http
        ? `No relay answers at ${label}${reason}.`
        : `${label} can't be spoken to${reason}.`;
      return new ConnectError("connect/transport", `${message}${stray}`, {
        data: { reason: failure.kind === "unreachable" ? failure.reason : null },
        cause: error,
      });
    }
  }
}

/** The error of a call on a connection that stood. */
export function explainCall(
  error: unknown,
  { method, ...circumstances }: Circumstances & { readonly method: string },
): ConnectError {
  if (isConnectError(error)) return error;
  const { label, evidence, ended, timeoutMs } = circumstances;
  if (ended === "signal") {
    return new ConnectError("aborted", `${method} was ended before its answer.`, {
      data: { method },
      cause: error,
    });
  }
  const code = sdkCode(error);
  if (code === "CAPABILITY_NOT_SUPPORTED" || code === "METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION") {
    return new ConnectError("capability", `${label} does not offer what ${method} asks for.`, {
      data: { method },
      cause: error,
    });
  }
  const failure = explainMcp(error);
  if (ended === "time" || failure.kind === "timeout") {
    return new ConnectError("timeout", `${label} gave no answer to ${method} within ${seconds(timeoutMs)}.`, {
      data: { method, timeoutMs },
      cause: error,
    });
  }
  if (closedWord(error) || (evidence.exit ?? null) !== null) {
    return new ConnectError(
      "closed",
      `The connection to ${label} ended before its answer to ${method}.${exitWords(evidence)}`,
      {
        data: { method, ...told(evidence) },
        cause: error,
      },
    );
  }
  switch (failure.kind) {
    case "refused":
      return refused(error, { label, status: failure.status, evidence });
    case "rpc":
      return new ConnectError("remote", failure.rpc.message, {
        data: { method, rpc: failure.rpc },
        cause: error,
      });
    case "not-mcp":
      return new ConnectError(
        "decode",
        `${label} answers ${method}${failure.status === null ? "" : ` (${failure.status})`}, but not in its shape${shapeFault(error) === null ? "" : `: ${shapeFault(error)}`}.`,
        { data: { method, status: failure.status }, cause: error },
      );
    case "aborted":
    case "unreachable":
      return new ConnectError("closed", `${label} was lost during ${method}${reasonOf(failure)}.`, {
        data: { method },
        cause: error,
      });
  }
}

function reasonOf(failure: McpFailure): string {
  return failure.kind === "unreachable" && failure.reason !== null ? ` (${failure.reason})` : "";
}

function refused(
  error: unknown,
  {
    label,
    status,
    evidence: { challenge = null },
  }: { readonly label: string; readonly status: number; readonly evidence: LinkEvidence },
): ConnectError {
  return new ConnectError(
    "auth",
    `${label} wants a credential, or refused the one given (${status}). Pass yours as \`token\`.`,
    { data: { status, challenge }, cause: error },
  );
}

function exited(error: unknown, { label, evidence }: Circumstances): ConnectError {
  return new ConnectError(
    "connect/closed",
    `${label} ended before the handshake was done.${exitWords(evidence)}${strayWords(evidence)}${stderrWords(evidence)}`,
    { data: told(evidence), cause: error },
  );
}

function told({ exit, stderr, stray }: LinkEvidence): Readonly<Record<string, unknown>> {
  return {
    ...(exit === undefined || exit === null ? {} : { exit }),
    ...(stderr === undefined || stderr === "" ? {} : { stderr }),
    ...(stray === undefined || stray === null ? {} : { stray }),
  };
}

function exitWords({ exit }: LinkEvidence): string {
  if (exit === undefined || exit === null) return "";
  return exit.signal === null ? ` It exited with ${exit.code}.` : ` It was ended by ${exit.signal}.`;
}

function strayWords({ stray }: LinkEvidence): string {
  return stray === undefined || stray === null
    ? ""
    : ` It wrote "${excerpt(stray)}" to standard output, which is the protocol's: send it to standard error.`;
}

function stderrWords({ stderr = "" }: LinkEvidence): string {
  const last = stderr.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return last === "" ? "" : ` Its last words: "${excerpt(last)}".`;
}

function versionFault(
  error: unknown,
): { readonly requested: string | null; readonly offered: readonly string[] } | null {
  for (const at of causes(error)) {
    const { data } = at as { data?: unknown };
    if (isJsonObject(data) && Array.isArray(data.supported)) {
      return {
        requested: typeof data.requested === "string" ? data.requested : null,
        offered: data.supported.filter((version): version is string => typeof version === "string"),
      };
    }
    const offered = /protocol version is not supported: (.{1,64})$/.exec(at.message)?.[1];
    if (offered !== undefined) return { requested: null, offered: [offered] };
    const pinned = /did not offer pinned protocol version (\S{1,64})/.exec(at.message)?.[1];
    if (pinned !== undefined) return { requested: pinned, offered: [] };
  }
  return null;
}

/** The SDK's words for a connection that ended under it. */
function closedWord(error: unknown): boolean {
  for (const at of causes(error)) {
    const code = sdkCode(at);
    if (code === "CONNECTION_CLOSED" || code === "NOT_CONNECTED") return true;
    if (/^Version negotiation failed: the (?:connection|transport)\b.{0,20}\bclosed\b/.test(at.message))
      return true;
  }
  return false;
}

/** What is wrong with an answer's shape, in the parser's words. */
function shapeFault(error: unknown): string | null {
  for (const at of causes(error)) {
    if (at instanceof SyntaxError) return excerpt(at.message);
    if (sdkCode(at) === "INVALID_RESULT" || at.name === "ZodError" || at.name === "$ZodError") {
      return excerpt(at.message.replace(/\s+/g, " "));
    }
  }
  return null;
}

function sdkCode(error: unknown): string | null {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : null;
}

function excerpt(text: string): string {
  return text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS - 1)}…` : text;
}
