/** A relay in one line, for what was just done to it. */
import { describe, type RelayRecord } from "../../spec/index.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { count, factLine } from "./facts.ts";

export function relayLine(relay: RelayRecord, style: Style): string {
  const { auth } = describe(relay.descriptor, relay.source);
  const facts = factLine({ online: relay.online, verified: relay.verified, auth }, style);
  return `${style.strong(printableLine(relay.id))}  ${facts} · ${count(relay.tools.length, "tool")}`;
}
