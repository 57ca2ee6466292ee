/** Why a connection or a call failed, and what to do about it, in a person's words. */
import { SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import type { Refusal } from "./wire.ts";

export interface Reason {
  readonly title: string;
  readonly detail: string;
  /** The credential box is the place to go. */
  readonly wantsCredential: boolean;
}

export interface ReasonOptions {
  readonly crossOrigin: boolean;
  /** What the last answer said in words, when it was a refusal; the SDK's errors may leave it out. */
  readonly said: Refusal | null;
}

export function reasonOf(error: unknown, { crossOrigin, said }: ReasonOptions): Reason {
  const detail = messageOf(error);
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return {
      title: status === 403 ? "The server refused" : "The server wants a credential",
      detail: `${detail} Give it under “Credential” and try again; it stays in this tab's memory.`,
      wantsCredential: true,
    };
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return plain("No answer in time", detail);
  }
  if (isNetworkFailure(error) && crossOrigin) {
    return plain(
      "The browser could not reach it",
      "The server is down, or does not let pages of other origins speak to it (CORS): a browser does not tell which. From a terminal, `openmcp inspect` with the same URL has no such limit.",
    );
  }
  if (isNetworkFailure(error)) return plain("Nothing answers", `${detail} Is the server still running?`);
  if (said !== null && (said.title !== null || !detail.includes(said.words)))
    return plain(said.title ?? "It was refused", sentence(said.words));
  if (/^Version negotiation probe failed/.test(detail)) {
    return plain(
      "No MCP there",
      "Something answers, and not as an MCP server does. Does the URL include the endpoint's path, such as /mcp? What came is under “Wire”.",
    );
  }
  if (status === 404 || status === 405) {
    return plain("No MCP there", `${detail} Does the URL include the endpoint's path, such as /mcp?`);
  }
  return plain("It failed", detail);
}

/** Not the error that a stop makes, which each library spells in its own way. */
export const stopped: Reason = plain(
  "Stopped",
  "You stopped it. Whether it was done already, only the server knows.",
);

function plain(title: string, detail: string): Reason {
  return { title, detail, wantsCredential: false };
}

function statusOf(error: unknown): number | null {
  return error instanceof SdkHttpError ? error.data.status : null;
}

/** The error itself, or what it was made from: the SDK wraps what the handshake met. */
function isNetworkFailure(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at instanceof TypeError) return true;
    if (at instanceof SdkError && (at.data as { cause?: unknown } | undefined)?.cause instanceof TypeError)
      return true;
  }
  return false;
}

function messageOf(error: unknown): string {
  return sentence(error instanceof Error ? error.message : String(error));
}

function sentence(text: string): string {
  const trimmed = text.trim().slice(0, 2_000);
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
