/**
 * Standard output looked at byte by byte, as the protocol has it: each line one JSON-RPC message in UTF-8, ended by a line feed. What
 * clients pass over in silence, or hang up on, is named here. Pure.
 */
import { EXCERPT_CHARS, MAX_LOOKED_BYTES } from "../limits.ts";

export interface StdoutFault {
  readonly kind: "stray" | "mark" | "encoding" | "carriage-return" | "unended";
  /** The line, shortened. */
  readonly excerpt: string;
}

export interface StdoutCheck {
  take(chunk: Uint8Array): void;
  /** The first fault; null when all is well. */
  fault(): StdoutFault | null;
  /** Called when the output has ended. */
  end(): void;
}

export function checkStdout(): StdoutCheck {
  let first: StdoutFault | null = null;
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  const report = (kind: StdoutFault["kind"], line: string): void => {
    first ??= { kind, excerpt: line.trim().slice(0, EXCERPT_CHARS) };
  };

  function judge(line: Uint8Array): void {
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    } catch {
      report("encoding", new TextDecoder().decode(line));
      return;
    }
    if (text.startsWith("\uFEFF")) report("mark", text);
    else if (text.endsWith("\r")) report("carriage-return", text);
    else if (!isMessage(text)) report("stray", text === "" ? "(an empty line)" : text);
  }

  return {
    take(chunk) {
      if (bytes > MAX_LOOKED_BYTES || first !== null) return;
      bytes += chunk.byteLength;
      let start = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
        judge(joined([...waiting, chunk.subarray(start, at)]));
        waiting = [];
        start = at + 1;
      }
      if (start < chunk.byteLength) waiting.push(chunk.slice(start));
    },
    fault: () => first,
    end() {
      const rest = joined(waiting);
      if (rest.byteLength === 0 || first !== null) return;
      const text = new TextDecoder().decode(rest);
      report(isMessage(text) ? "unended" : "stray", text);
    },
  };
}

function isMessage(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === "object" &&
      value !== null &&
      (Array.isArray(value) || (value as { jsonrpc?: unknown }).jsonrpc === "2.0")
    );
  } catch {
    return false;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
}
