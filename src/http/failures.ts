/**
 * Whatever a door's work threw, as the answer to its request: a failure of ours goes to the log under the id that the answer
 * tells, everything else is the caller's to read. Knows no route.
 */
import type { Logger } from "../spec/index.ts";
import { problemReply, publicError } from "./problem.ts";

export interface FailuresOptions {
  readonly logger: Pick<Logger, "error">;
  /** Under which id a failure is told and logged. */
  readonly newId: () => string;
  /** What failed, for the log: "a REST request failed". */
  readonly message: string;
}

export interface FailedOptions {
  /** What breaks because its caller hung up is no failure of ours. */
  readonly request?: Request;
  /** Sent beside the problem's own, lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes a door's answer to a thrown value. */
export function createFailures({ logger, newId, message }: FailuresOptions) {
  return (error: unknown, { request, headers }: FailedOptions = {}): Response => {
    const told = publicError(error, newId);
    if (told.requestId !== undefined && request?.signal.aborted !== true) {
      logger.error({ err: error, requestId: told.requestId }, message);
    }
    return problemReply(told, headers);
  };
}
