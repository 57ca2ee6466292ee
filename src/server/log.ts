/**
 * The catalog's log: pino, one JSON line an event on standard error; on a terminal the same event as a short line for
 * a person. Inside a request every line carries its id. Credentials and bodies never reach a logger; the redaction
 * here is the second fence, not the first. A request's path is never logged, its route's pattern is: some ids are secrets.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { pino } from "pino";
import type { Logger, RequestNotes } from "../spec/index.ts";
import type { LogLevel } from "./serve-options.ts";

/** What every line of a request carries; the notes are added as they are found out. */
export type RequestScope = RequestNotes & { readonly requestId: string };

export interface CatalogLog extends Logger {
  /** Runs `work` so that its lines carry the request's id, and what is noted meanwhile. */
  inRequest<T>(requestId: string, work: (scope: RequestScope) => T): T;
  /** Writes out what is buffered. */
  flush(): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Lines for a person in place of JSON. */
  readonly human: boolean;
  readonly write: (line: string) => void;
}

const SECRET_FIELDS = ["token", "authorization", "adminToken", "secret", "headers", "body", "arguments"];

export function createLog(options: LogOptions): CatalogLog {
  const request = new AsyncLocalStorage<RequestScope>();
  const write = options.human ? (line: string) => options.write(humanLine(line)) : options.write;
  const logger = pino(
    {
      level: options.level,
      base: undefined,
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      mixin() {
        return { ...request.getStore() };
      },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]), censor: "(hidden)" },
    },
    { write },
  );
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    note(fields) {
      const scope = request.getStore();
      if (scope !== undefined) Object.assign(scope, fields);
    },
    requestId: () => request.getStore()?.requestId ?? null,
    inRequest(requestId, work) {
      const scope: RequestScope = { requestId };
      return request.run(scope, () => work(scope));
    },
    flush: () => logger.flush(),
  };
}

/** `12:04:31 warn  message  key=value …`, without what moves the cursor or turns the line round: a relay's text is in it. */
function humanLine(line: string): string {
  const { level, time, message, requestId, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const pairs = Object.entries(fields).map(([key, value]) =>
    key === "err" || typeof value === "object"
      ? `${key}=${JSON.stringify(value)}`
      : `${key}=${String(value)}`,
  );
  const request = requestId === undefined ? [] : [`[${String(requestId)}]`];
  const text = [String(time).slice(11, 19), String(level).padEnd(5), message, ...pairs, ...request].join(" ");
  return `${text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")}\n`;
}
