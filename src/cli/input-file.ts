/**
 * A file that a command was given, or a pipe in a file's place, of no more than is read anywhere: a device or a pipe without an end
 * costs no more memory than a file that is too large.
 */
import { createReadStream } from "node:fs";
import { OpenMcpError } from "../spec/index.ts";
import { MAX_INPUT_BYTES } from "./limits.ts";

export interface InputFileOptions {
  /** How the error names it: "The list". */
  readonly what: string;
  /** The option or argument that named it. */
  readonly field: string;
  readonly signal: AbortSignal;
}

/** @throws OpenMcpError `invalid-input` when it can't be read, `too-large`. */
export async function inputBytes(path: string, options: InputFileOptions): Promise<Buffer> {
  const { what, field, signal } = options;
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of createReadStream(path, { end: MAX_INPUT_BYTES, signal })) {
      parts.push(part as Buffer);
      bytes += (part as Buffer).byteLength;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new OpenMcpError("invalid-input", `${what} can't be read: ${fileProblem(path, error)}.`, {
      data: { field },
      cause: error,
    });
  }
  if (bytes > MAX_INPUT_BYTES) {
    throw new OpenMcpError("too-large", `"${path}" is over ${MAX_INPUT_BYTES / 1024 / 1024} MiB.`);
  }
  return Buffer.concat(parts);
}

/**
 * The same as text, without a byte order mark.
 * @throws OpenMcpError as `inputBytes`, and `invalid-input` for what is no text in UTF-8.
 */
export async function inputText(path: string, options: InputFileOptions): Promise<string> {
  const bytes = await inputBytes(path, options);
  try {
    // A NUL is in no text: UTF-16 has one in every other place.
    if (!bytes.includes(0)) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Told of below.
  }
  throw new OpenMcpError("invalid-input", `"${path}" is no text in UTF-8: save it as such.`, {
    data: { field: options.field },
  });
}

/** Why a file can't be read, with its name, as the end of a sentence. */
export function fileProblem(path: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return `there is no file "${path}"`;
  return code === "EISDIR" ? `"${path}" is a folder` : message;
}
