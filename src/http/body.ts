/**
 * Reading a request's body: bounded before it is buffered, strict in UTF-8 and JSON (RFC 8259 section 8.1).
 * Every refusal is an `OpenMcpError` that names the cure.
 */
import {
  type JsonValue,
  MAX_JSON_DEPTH,
  nestsDeeper,
  OpenMcpError,
  withExactNumbers,
} from "../spec/index.ts";
import { MAX_BODY_BYTES } from "./limits.ts";

export interface BodyOptions {
  /** Bytes; default `MAX_BODY_BYTES`. */
  readonly maxBytes?: number;
  /** `readJson` only: numbers that JavaScript would spell otherwise are kept as their text, for passing them on (spec/exact-numbers.ts). */
  readonly exactNumbers?: boolean;
}

/** The media type without parameters, in lower case; "" when none is stated. */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** True for `application/json` and any `+json` type. */
export function isJsonType(type: string): boolean {
  return type === "application/json" || /^[a-z]+\/[^\s;]+\+json$/.test(type);
}

/**
 * The body as text.
 * @throws OpenMcpError `too-large` as soon as the limit is passed, `invalid-input` when it is not UTF-8 or breaks off,
 * `unsupported-media-type` when it is stated to be compressed: nothing here unpacks it (RFC 9110 section 15.5.16).
 */
export async function readText(request: Request, options: BodyOptions = {}): Promise<string> {
  const maxBytes = options.maxBytes ?? MAX_BODY_BYTES;
  const coding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding !== "" && coding !== "identity") {
    throw new OpenMcpError("unsupported-media-type", "send the body uncompressed, without Content-Encoding", {
      data: { field: "Content-Encoding" },
    });
  }
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes);
  // A declared length was checked, and the HTTP parser holds the sender to it: the quick way is as bounded as the slow one.
  const bytes =
    declared !== null
      ? await whole(request)
      : request.body === null
        ? null
        : await counted(request.body, maxBytes);
  if (bytes === null) return "";
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new OpenMcpError("invalid-input", "the body is not valid UTF-8", { data: { field: "body" } });
  }
}

/**
 * The body as JSON; undefined when it is empty, whatever its type.
 * @throws OpenMcpError `unsupported-media-type` when a body is stated to be something else, and as `readText` and `parseJson`.
 */
export async function readJson(request: Request, options: BodyOptions = {}): Promise<JsonValue | undefined> {
  const type = mediaType(request);
  if (type !== "" && !isJsonType(type)) throw wrongType("send the body as application/json", type);
  const text = await readText(request, options);
  if (text.trim() === "") return undefined;
  const body = parseJson(text);
  return options.exactNumbers === true ? withExactNumbers(text, body) : body;
}

/** @throws OpenMcpError `invalid-input`, field `body`, for what is not JSON or is nested deeper than `MAX_JSON_DEPTH`. */
export function parseJson(text: string): JsonValue {
  if (nestsDeeper(text, MAX_JSON_DEPTH)) {
    throw new OpenMcpError("invalid-input", `the JSON body is nested deeper than ${MAX_JSON_DEPTH} levels`, {
      data: { field: "body" },
    });
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new OpenMcpError("invalid-input", "the body is not valid JSON", { data: { field: "body" } });
  }
}

export function wrongType(cure: string, type: string): OpenMcpError {
  return new OpenMcpError(
    "unsupported-media-type",
    `${cure}; it was sent as ${JSON.stringify(type.slice(0, 100))}`,
    {
      data: { field: "Content-Type" },
    },
  );
}

async function whole(request: Request): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer();
  } catch {
    throw brokenOff();
  }
}

async function counted(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw brokenOff();
      });
      if (done) break;
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(value);
    }
  } finally {
    // Also when refused: what still comes is not read. A failing cancel changes nothing.
    reader.cancel().catch(() => {});
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

function tooLarge(maxBytes: number): OpenMcpError {
  return new OpenMcpError("too-large", `the body is larger than ${maxBytes} bytes; send less at once`, {
    data: { field: "body", maxBytes },
  });
}

function brokenOff(): OpenMcpError {
  return new OpenMcpError("invalid-input", "the body broke off before its end", { data: { field: "body" } });
}
