/**
 * The text of a body, whatever is said of its charset. JSON is UTF-8 (RFC 8259 section 8.1), and that is tried first: many
 * servers name a charset they do not send. What is no UTF-8 is read as declared, or by its byte order mark. A mark stays in
 * the text, as it is a finding of its own.
 */
import { MAX_DOCUMENT_BYTES } from "./limits.ts";

interface BodyBytes {
  readonly bytes: Uint8Array;
  /** True when there was more; the rest was not read. */
  readonly cut: boolean;
}

/** Reads up to `maxBytes`. The connection is closed when there are more. */
async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<BodyBytes> {
  // One buffer that grows: a body that comes byte by byte costs no object for each.
  let buffer = new Uint8Array(Math.min(maxBytes, 16 * 1024));
  let size = 0;
  for await (const chunk of body) {
    const room = maxBytes - size;
    const taken = chunk.length > room ? chunk.subarray(0, room) : chunk;
    if (size + taken.length > buffer.length) {
      const larger = new Uint8Array(Math.min(maxBytes, Math.max(buffer.length * 2, size + taken.length)));
      larger.set(buffer.subarray(0, size));
      buffer = larger;
    }
    buffer.set(taken, size);
    size += taken.length;
    if (chunk.length > room) return { bytes: buffer.subarray(0, size), cut: true };
  }
  return { bytes: buffer.subarray(0, size), cut: false };
}

export interface BodyText {
  readonly text: string;
  /** False when the bytes are not what JSON has to be in. */
  readonly utf8: boolean;
  readonly cut: boolean;
}

/** `contentType` is the header's value. A cut text may end within a character. */
function decodeText({ bytes, cut }: BodyBytes, contentType: string | undefined): BodyText {
  const marked = byMark(bytes) ?? unmarkedUtf16(bytes);
  if (marked !== null) return { text: decode(bytes, marked, { stream: cut }) ?? "", utf8: false, cut };
  // `stream` leaves out the character that a cut body ends within.
  const text = decode(bytes, "utf-8", { fatal: true, stream: cut });
  if (text !== null) return { text, utf8: true, cut };
  const declared = charsetOf(contentType);
  const lenient =
    (declared === null ? null : decode(bytes, declared, { stream: cut })) ??
    decode(bytes, "utf-8", { stream: cut });
  return { text: lenient ?? "", utf8: false, cut };
}

/** The text of a body, of `maxBytes` at most; the connection is closed when there are more. */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  options: { readonly contentType?: string | undefined; readonly maxBytes?: number } = {},
): Promise<BodyText> {
  return decodeText(await readBytes(body, options.maxBytes ?? MAX_DOCUMENT_BYTES), options.contentType);
}

function decode(
  bytes: Uint8Array,
  label: string,
  options: { readonly fatal?: boolean; readonly stream?: boolean } = {},
): string | null {
  try {
    const decoder = new TextDecoder(label, { fatal: options.fatal === true, ignoreBOM: true });
    return decoder.decode(bytes, { stream: options.stream === true });
  } catch {
    // Not of that charset, or of one that nobody knows.
    return null;
  }
}

function byMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
}

/** JSON begins with an ASCII character: a zero beside it is half of a UTF-16 one. */
function unmarkedUtf16(bytes: Uint8Array): string | null {
  if (bytes.length < 2) return null;
  if (bytes[0] === 0 && bytes[1] !== 0) return "utf-16be";
  return bytes[0] !== 0 && bytes[1] === 0 ? "utf-16le" : null;
}

function charsetOf(contentType: string | undefined): string | null {
  const stated = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? "")?.[1];
  return stated ?? null;
}
