/**
 * Runs an operation for a door: from whatever was decoded to its answer. What every operation shares is here and nowhere
 * else: its input checked, its cost paid, its span, its count, and the relay that it was about in the request's log lines.
 */
import { isOpenMcpError } from "../spec/index.ts";
import type { CatalogContext } from "./context.ts";
import { payFor } from "./fair-use.ts";
import type { CallContext, Operation } from "./operation.ts";
import { readInput } from "./read-input.ts";

export interface Run {
  readonly context: CatalogContext;
  /** As decoded; the operation's own schema checks it. */
  readonly input: unknown;
  readonly call: CallContext;
}

/** @throws OpenMcpError `invalid-input` as `readInput`; `rate-limited` as `payFor`; else what the operation says. */
export async function runOperation<Input, Output>(
  operation: Operation<string, Input, Output>,
  { context, input, call }: Run,
): Promise<Output> {
  const { meter, tracer } = context;
  const { name } = operation;
  return tracer.span(name, { parent: call.trace ?? undefined }, async (span) => {
    let relay: string | undefined;
    let outcome = "ok";
    try {
      const read = readInput(operation, input);
      if (operation.budget !== undefined) await payFor(operation.budget, { context, input: read, call });
      relay = operation.about?.(read);
      const output = await operation.run(context, read, call);
      if (operation.foundNone?.(output) === true) relay = undefined;
      return output;
    } catch (error) {
      outcome = isOpenMcpError(error) ? error.code : "internal";
      // What is not listed is only a stranger's text.
      if (outcome === "not-found") relay = undefined;
      throw error;
    } finally {
      meter.count("operations_total", { operation: name, outcome });
      if (relay !== undefined) {
        context.logger.note?.({ relay });
        span.set({ "openmcp.relay": relay });
      }
    }
  });
}
