/**
 * The shape of an operation: what the catalog can do, independent of any door.
 * Each lives in its own file under operations/; doors/rest, doors/mcp, the catalog's OpenAPI document and the client
 * derive from the table in operations/index.ts or are checked against it.
 */
import type { z } from "zod";
import type { CallLog } from "../relay/index.ts";
import type { BudgetName, BudgetStanding, ProbeStep, TraceContext } from "../spec/index.ts";
import type { CatalogContext } from "./context.ts";

export interface CallContext {
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** True when the admin credential was presented and matched. */
  readonly admin: boolean;
  /** Whose budgets it draws on; null or absent: nobody's. */
  readonly client?: string | null;
  /** Told where the budget stands that was drawn on, also when it was not enough. */
  readonly onBudget?: (standing: BudgetStanding) => void;
  /** What the caller says the call belongs to. */
  readonly trace?: TraceContext | null;
  /** Told of each step of a look as it is done, where the door can show it. */
  readonly onStep?: (step: ProbeStep) => void;
  /** Progress of a forwarded call, where the door can carry it. */
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }) => void;
  /** Log messages of a forwarded call, where the door can carry them and the caller wants them. */
  readonly log?: CallLog;
}

/** What a run costs its caller. */
export interface OperationBudget<Input> {
  readonly name: BudgetName;
  /** Tokens; default 1. */
  readonly cost?: (input: Input) => number;
}

export interface Operation<Name extends string, Input, Output> {
  readonly name: Name;
  /** One line for documents and tool lists. */
  readonly summary: string;
  readonly description: string;
  readonly access: "open" | "admin";
  /** Changes nothing here or at a relay. */
  readonly readOnly: boolean;
  /** What a run costs its caller; absent: nothing. */
  readonly budget?: OperationBudget<Input>;
  readonly input: z.ZodType<Input>;
  /** Of the answer on the wire, for documents and checks. */
  readonly output: z.ZodType;
  /** The id of the relay that a call is about, for logs and traces; absent: about none. Never another kind of id: some are secrets. */
  readonly about?: (input: Input) => string;
  /** True of an answer that says that no such relay is listed; absent: that is an error. */
  readonly foundNone?: (output: Output) => boolean;
  run(context: CatalogContext, input: Input, call: CallContext): Promise<Output>;
}

/** Keeps an operation's types while checking its shape. */
export function defineOperation<const Name extends string, Input, Output>(
  operation: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> {
  return operation;
}
