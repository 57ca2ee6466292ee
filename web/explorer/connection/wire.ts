/** Every frame on the wire, in order and bounded: what was sent and what came, as text. */

import { MAX_FRAME_CHARS, MAX_FRAMES, MAX_FRAMES_CHARS } from "../limits.ts";
import { createValue, type Value } from "../ui/value.ts";

export interface Frame {
  readonly number: number;
  readonly at: number;
  readonly direction: "out" | "in";
  /** "POST", "GET", "DELETE" for what a request is; "event" and "answer" for what came; "http" for an answer without a message. */
  readonly via: string;
  readonly status: number | null;
  /** Milliseconds from the request to this; null for what was sent. */
  readonly ms: number | null;
  readonly headers: readonly (readonly [string, string])[];
  /** As it went over the wire; cut when it is very long. */
  readonly text: string;
  /** Characters of it in whole. */
  readonly size: number;
  /** "tools/call", "result", "error", or what else it is. */
  readonly label: string;
  /** JSON-RPC id, as text; null where there is none. */
  readonly id: string | null;
  /** The method whose answer it is; null for others. */
  readonly answers: string | null;
}

export interface Refusal {
  /** Of a problem document (RFC 9457), which a catalog says in its own name; null for a server's own word. */
  readonly title: string | null;
  readonly words: string;
}

export type NewFrame = Omit<Frame, "number" | "size" | "label" | "id" | "answers">;

export interface Wire {
  readonly frames: Value<readonly Frame[]>;
  add(frame: NewFrame): void;
  clear(): void;
  /**
   * The exact text of the result that answered the newest request of `method` since `since`, when it says the same as `result`; null
   * otherwise: what the client read is then shown, with numbers as JavaScript has them.
   */
  exactResult(method: string, options: { readonly since: number; readonly result: unknown }): string | null;
  /** What the newest answer said in words, when it was an HTTP error with any. */
  refusal(): Refusal | null;
  /** The number that the next frame gets. */
  readonly next: number;
}

export function createWire(memberText: (text: string, name: string) => string | undefined): Wire {
  const frames = createValue<readonly Frame[]>([]);
  const methods = new Map<string, string>();
  let number = 1;
  let chars = 0;
  return {
    frames,
    get next() {
      return number;
    },
    add(given) {
      const { label, id } = messageOf(given.text);
      const isAnswer = label === "result" || label === "error";
      if (given.direction === "out" && id !== null && !isAnswer) methods.set(id, label);
      const answers = given.direction === "in" && isAnswer && id !== null ? (methods.get(id) ?? null) : null;
      if (answers !== null && id !== null) methods.delete(id);
      const text = given.text.length > MAX_FRAME_CHARS ? given.text.slice(0, MAX_FRAME_CHARS) : given.text;
      const frame: Frame = { ...given, text, size: given.text.length, number, label, id, answers };
      number += 1;
      chars += text.length;
      const kept = [...frames.get(), frame];
      while (kept.length > MAX_FRAMES || (chars > MAX_FRAMES_CHARS && kept.length > 1))
        chars -= kept.shift()?.text.length ?? 0;
      frames.set(kept);
    },
    clear() {
      chars = 0;
      frames.set([]);
    },
    refusal() {
      const newest = frames.get().findLast(({ direction }) => direction === "in");
      return newest?.status !== undefined && newest.status !== null && newest.status >= 400
        ? wordsOf(parsed(newest.text))
        : null;
    },
    exactResult(method, { since, result }) {
      const wanted = JSON.stringify(result);
      for (const frame of frames.get().toReversed()) {
        if (frame.number < since) return null;
        if (frame.answers !== method || frame.size > frame.text.length) continue;
        const text = memberText(frame.text, "result");
        if (text !== undefined && JSON.stringify(parsed(text)) === wanted) return text;
      }
      return null;
    },
  };
}

function messageOf(text: string): { readonly label: string; readonly id: string | null } {
  if (text === "") return { label: "", id: null };
  const message = parsed(text);
  if (Array.isArray(message)) return { label: `batch of ${message.length}`, id: null };
  if (typeof message !== "object" || message === null) return { label: "not JSON-RPC", id: null };
  const { method, id, error, result } = message as Readonly<Record<string, unknown>>;
  const named = typeof id === "string" || typeof id === "number" ? String(id) : null;
  if (typeof method === "string") return { label: method.slice(0, 200), id: named };
  if (error !== undefined) return { label: "error", id: named };
  return { label: result === undefined ? "JSON" : "result", id: named };
}

/** Of a JSON-RPC error, or of a problem document. */
function wordsOf(body: unknown): Refusal | null {
  if (typeof body !== "object" || body === null) return null;
  const { error, detail, title } = body as Readonly<Record<string, unknown>>;
  const message =
    typeof error === "object" && error !== null ? (error as { message?: unknown }).message : null;
  const words = [message, detail, title].find((each) => typeof each === "string" && each !== "");
  if (typeof words !== "string") return null;
  return { title: words === detail && typeof title === "string" ? title : null, words };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
