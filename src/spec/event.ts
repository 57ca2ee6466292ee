/** What subscribers are told: the five events of OpenMCP 0.1 "Webhooks, out". */

export const eventNames = [
  "relay.registered",
  "relay.updated",
  "relay.online",
  "relay.offline",
  "relay.removed",
] as const;

export type EventName = (typeof eventNames)[number];
