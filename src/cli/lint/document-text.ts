/** The text of a document to lint: a file, standard input, or a URL, over the same network policy as every look. */
import { createExchange } from "../../net/index.ts";
import { type ErrorCode, type ExchangeResponse, OpenMcpError } from "../../spec/index.ts";
import { inputBytes } from "../input-file.ts";
import { LINT_TIMEOUT_MS, MAX_INPUT_BYTES } from "../limits.ts";
import type { Shell } from "../shell.ts";
import { version } from "../version.ts";

export interface DocumentText {
  /** Null when the bytes are no UTF-8. */
  readonly text: string | null;
  /** The URL that answered; absent for files. */
  readonly url?: string;
  /** As `Content-Type` said it; absent for files. */
  readonly contentType?: string | null;
}

/** Cards and catalogs first: a server that tells them apart by `Accept` then answers the document. */
const ACCEPT =
  "application/mcp-server-card+json, application/ai-catalog+json, application/json;q=0.9, */*;q=0.1";

/** @throws OpenMcpError `invalid-input`, `too-large`, `not-found`, `relay-refused`, `unreachable`, and those of the exchange. */
export async function documentText(
  place: string,
  { shell, allowNetworks }: { readonly shell: Shell; readonly allowNetworks: readonly string[] },
): Promise<DocumentText> {
  if (place === "-") return { text: await shell.readInput() };
  if (/^https?:\/\//i.test(place)) return fetched(place, { shell, allowNetworks });
  return {
    text: decoded(
      await inputBytes(place, { what: "The document", field: "documents", signal: shell.signal }),
    ),
  };
}

async function fetched(
  url: string,
  { shell, allowNetworks }: { readonly shell: Shell; readonly allowNetworks: readonly string[] },
): Promise<DocumentText> {
  const policy = { allowLoopback: true, allowNetworks };
  await using net = createExchange(policy, { userAgent: `openmcp/${version} (lint)` });
  const answer = await net.exchange(
    { method: "GET", url, headers: { accept: ACCEPT }, signal: shell.signal },
    { timeoutMs: shell.options.timeout ?? LINT_TIMEOUT_MS, maxBodyBytes: MAX_INPUT_BYTES },
  );
  if (answer.status !== 200) {
    answer.cancel();
    const code = codeOf(answer.status);
    const why = code === "relay-refused" ? ": a document must be readable without a credential" : "";
    const instead =
      new URL(url).pathname === "/" ? " `openmcp discover` reads what a whole site publishes." : "";
    throw new OpenMcpError(code, `${answer.url} answered ${answer.status}${why}.${instead}`, {
      data: { document: answer.url, httpStatus: answer.status },
    });
  }
  return {
    text: decoded(await bytesOf(answer)),
    url: answer.url,
    contentType: answer.headers["content-type"] ?? null,
  };
}

async function bytesOf({ body }: ExchangeResponse): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

/** The byte order mark stays: it is told of. */
function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function codeOf(status: number): ErrorCode {
  if (status === 404 || status === 410) return "not-found";
  return status === 401 || status === 403 ? "relay-refused" : "unreachable";
}
