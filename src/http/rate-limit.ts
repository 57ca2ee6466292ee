/**
 * Budgets as response headers (draft-ietf-httpapi-ratelimit-headers): what a client is given, and what is left of it, so that one that
 * reads them never meets a refusal.
 */
import type { BudgetStanding } from "../spec/index.ts";

/** The quota is what a rested client has, the window the time in which all of it comes back. */
export function rateLimitHeaders({
  name,
  rule,
  remaining,
  fullInSeconds,
}: BudgetStanding): Readonly<Record<string, string>> {
  const windowSeconds = Math.max(1, Math.ceil((rule.burst / rule.perMinute) * 60));
  return {
    "ratelimit-policy": `"${name}";q=${rule.burst};w=${windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${fullInSeconds}`,
  };
}
