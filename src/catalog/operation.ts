/**
 * The shape of an operation: what the catalog can do, independent of any door.
 * Each lives in its own file under operations/; doors/rest, doors/mcp, the catalog's OpenAPI document and the client
 * derive from the table in operations/index.ts or are checked against it.
 */
import type { z } from "zod";
import type { CallLog } from "../relay/index.ts";
import type { CatalogContext } from "./context.ts";

export interface CallContext {
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** True when the admin credential was presented and matched. */
  readonly admin: boolean;
  /** Progress of a forwarded call, where the door can carry it. */
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }) => void;
  /** Log messages of a forwarded call, where the door can carry them and the caller wants them. */
  readonly log?: CallLog;
}

export interface Operation<Name extends string, Input, Output> {
  readonly name: Name;
  /** One line for documents and tool lists. */
  readonly summary: string;
  readonly description: string;
  readonly access: "open" | "admin";
  /** Changes nothing here or at a relay. */
  readonly readOnly: boolean;
  readonly input: z.ZodType<Input>;
  /** Of the answer on the wire, for documents and checks. */
  readonly output: z.ZodType;
  run(context: CatalogContext, input: Input, call: CallContext): Promise<Output>;
}

/** Keeps an operation's types while checking its shape. */
export function defineOperation<const Name extends string, Input, Output>(
  operation: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> {
  return operation;
}
