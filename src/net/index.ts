/**
 * net/: the one outbound network policy. `createExchange` gives the `Exchange` that every other room is handed;
 * `createFetch` makes a WHATWG fetch of it. Addresses are judged inside the connector, on what is really connected
 * to, and URLs at every redirect; bytes, time, headers and connections are bounded. Nothing here knows MCP,
 * and only server/ and cli/ enter.
 */
export { createExchange, type ExchangeIdentity, type OwnedExchange } from "./create-exchange.ts";
export { createFetch } from "./create-fetch.ts";
export type { FailureReason } from "./failure.ts";
export { judgeAddress, judgeUrl, type NetworkVerdict, type Refusal } from "./judge.ts";
export type { LookupAddresses, NetworkPolicy, ResolvedAddress } from "./network-policy.ts";
