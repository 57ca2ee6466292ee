/**
 * One request's end: its own time limit, the caller's signal and the client's, as one signal, and afterwards the answer
 * to which of them it was. The time covers the body, not only the headers.
 */
import { isOpenMcpError, OpenMcpError } from "../spec/index.ts";
import { causes } from "./causes.ts";
import type { ClientSettings, RequestOptions } from "./settings.ts";

export interface Deadline {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The error to reject with: by what ended the request, or `unreachable` made of `cause` when nothing did. */
  explain(cause: unknown, unreachable: (cause: unknown) => OpenMcpError): OpenMcpError;
}

export function deadline(
  settings: Pick<ClientSettings, "base" | "signal" | "timeoutMs">,
  options: RequestOptions & { readonly defaultMs: number },
): Deadline {
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs ?? options.defaultMs;
  const timer = AbortSignal.timeout(timeoutMs);
  const stops = options.signal === undefined ? [settings.signal] : [settings.signal, options.signal];
  return {
    signal: AbortSignal.any([...stops, timer]),
    timeoutMs,
    explain(cause, unreachable) {
      const ours = [...causes(cause)].find((error) => isOpenMcpError(error));
      if (ours !== undefined) return ours;
      if (stops.some((stop) => stop.aborted)) {
        return new OpenMcpError("aborted", "The request was ended before its answer.", { cause });
      }
      if (timer.aborted) {
        return new OpenMcpError(
          "timeout",
          `${settings.base} gave no complete answer within ${seconds(timeoutMs)}. Allow more time, or try again later.`,
          { data: { timeoutMs }, cause },
        );
      }
      return unreachable(cause);
    },
  };
}

/** For a sentence: `2 s`, `1500 ms`. */
export function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
