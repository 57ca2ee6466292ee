/**
 * What a run costs its caller: taken from the budget that the operation names, before any of its work; and how many calls may be
 * under way at once. The admin pays nothing, nor does a caller whom the door names no client for: who that is, is decided where
 * the socket is.
 */
import { type BudgetStanding, OpenMcpError } from "../spec/index.ts";
import type { CatalogContext } from "./context.ts";
import { CROWDED_RETRY_SECONDS, MAX_CALLS_OF_CLIENT, MAX_CALLS_OF_RELAY } from "./limits.ts";
import type { CallContext, OperationBudget } from "./operation.ts";
import { shared } from "./shared.ts";

/**
 * Takes what one run costs.
 * @throws OpenMcpError `rate-limited` with `data.retryAfterSeconds` when there is not as much; nothing was taken then.
 */
export async function payFor<Input>(
  budget: OperationBudget<Input>,
  {
    context,
    input,
    call,
  }: { readonly context: CatalogContext; readonly input: Input; readonly call: CallContext },
): Promise<void> {
  const { name } = budget;
  const rule = context.budgets?.[name];
  if (rule === undefined || rule === null || call.admin) return;
  const client = call.client ?? null;
  if (client === null) return;
  const now = context.clock.now();
  const cost = budget.cost?.(input) ?? 1;
  const taken = await context.store.budgets.take({ client, budget: name, rule, cost, now });
  const standing = {
    name,
    rule,
    remaining: taken.remaining,
    fullInSeconds: Math.ceil((taken.fullAt - now) / 1_000),
  };
  call.onBudget?.(standing);
  if (taken.ok) return;
  context.meter.count("rate_limited_total", { budget: name });
  throw overBudget(standing, taken.retryAfterMs);
}

function overBudget({ name, rule }: BudgetStanding, retryAfterMs: number): OpenMcpError {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new OpenMcpError(
    "rate-limited",
    `the budget "${name}" of your address is used up (${rule.burst} at once, ${rule.perMinute} a minute): try again in ${retryAfterSeconds} s`,
    { data: { retryAfterSeconds, budget: { name, ...rule } } },
  );
}

/**
 * Forwards a call as one of its relay's and of its client's, so that neither one client nor one relay that hangs holds all sockets.
 * It is counted in this process: sockets are.
 * @throws OpenMcpError `rate-limited` when there are too many already.
 */
export async function inCrowd<T>(
  { store, budgets, meter }: CatalogContext,
  { relay, call }: { readonly relay: string; readonly call: CallContext },
  work: () => Promise<T>,
): Promise<T> {
  const { calls } = shared(store);
  const client = budgets === undefined || call.admin ? null : (call.client ?? null);
  const ofRelay = `relay ${relay}`;
  const ofClient = `client ${client}`;
  if (client !== null && calls.size(ofClient) >= MAX_CALLS_OF_CLIENT) {
    meter.count("rate_limited_total", { budget: "calls-of-client" });
    throw tooMany(`your address has ${MAX_CALLS_OF_CLIENT} calls under way`);
  }
  if (client !== null && calls.size(ofRelay) >= MAX_CALLS_OF_RELAY) {
    meter.count("rate_limited_total", { budget: "calls-of-relay" });
    throw tooMany(`${relay} has ${MAX_CALLS_OF_RELAY} calls of this catalog under way`);
  }
  return calls.run(client === null ? [ofRelay] : [ofRelay, ofClient], work);
}

function tooMany(what: string): OpenMcpError {
  return new OpenMcpError("rate-limited", `${what}: try again in ${CROWDED_RETRY_SECONDS} s`, {
    data: { retryAfterSeconds: CROWDED_RETRY_SECONDS },
  });
}
