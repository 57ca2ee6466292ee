/** A talk: a pure coroutine that yields steps and is handed what came of each. Who drives it waits and sends. */
import type { Exchanged, Step } from "./step.ts";

export type Talk<T> = Generator<Step, T, Exchanged>;

/** Hands out JSON-RPC ids: one talk never uses one twice. */
export type Ids = () => number;

export function countIds(): Ids {
  let last = 0;
  return () => ++last;
}
