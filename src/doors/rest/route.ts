/**
 * The shape of a REST route: one operation, how its input is taken from a request, how its answer is written.
 * The table of them is routes.ts; the router, the OpenAPI document and the 405 answers all read that table.
 */
import type { CatalogContext, Operation } from "../../catalog/index.ts";
import type { ErrorCode } from "../../spec/index.ts";

/**
 * Where the input comes from, beside the path:
 * `query` parameters · a `json` object · `urls`: a JSON object or text lines · `arguments`: the body is the tool's
 * arguments · `nothing`.
 */
export type Takes = "query" | "json" | "urls" | "arguments" | "nothing";

export interface Encoded {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Content type of a `body` that is the text itself; absent: JSON. */
  readonly type?: string;
  /** By this type too, for who names it first; the same text. */
  readonly otherType?: string;
  /** Of a read; default `no-cache`. */
  readonly cacheControl?: string;
  /** Written by `stringifyRaw`; success carries `"ok": true` unless the route is `bare`. */
  readonly body: unknown;
}

export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** Parameters as `:name`. */
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: `route` below ties input and output of one entry together.
  readonly operation: Operation<string, any, any>;
  readonly takes: Takes;
  /** Path parameter -> input field, where they differ. */
  readonly rename?: Readonly<Record<string, string>>;
  /** The relay's credential may come in `X-Relay-Authorization`. */
  readonly relayCredential?: true;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly encode: (output: any, context: CatalogContext) => Encoded;
  /** Set where the answer is a published document, served as those are (http/published-document.ts): its media type. */
  readonly publishes?: string;
  /** Statuses of success, for the document. */
  readonly answers: Readonly<Record<number, string>>;
  /** Codes that this route may fail with, for the document. */
  readonly fails: readonly ErrorCode[];
  /** Fields of the operation's answer that this route leaves out or adds, for the document. */
  readonly shape?: {
    readonly omit?: readonly string[];
    readonly add?: Readonly<Record<string, object>>;
    /** The answer is no JSON but a text of this type. */
    readonly type?: string;
    /** The answer is no envelope but this schema, or the operation's own. */
    readonly bare?: object | "output";
    /** `ok` may be false too. */
    readonly okMayBeFalse?: true;
  };
}

/** A table entry whose `encode` gets what its operation answers. */
export function route<Input, Output>(
  entry: Omit<Route, "operation" | "encode"> & {
    readonly operation: Operation<string, Input, Output>;
    readonly encode?: (output: Output, context: CatalogContext) => Encoded;
  },
): Route {
  return { encode: (output) => ({ body: output }), ...entry };
}
