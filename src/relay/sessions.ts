/** The sessions of the legacy era that a talk opened, to be deleted at its end (MCP Streamable HTTP, "Session Management"). */
import { legacyFound } from "./conversation.ts";
import type { Dress } from "./protocol.ts";
import type { Exchanged } from "./step.ts";

export interface OpenSession {
  readonly url: string;
  readonly dress: Dress;
}

export function openSessions(exchanges: readonly Exchanged[]): readonly OpenSession[] {
  const open: OpenSession[] = [];
  for (const exchanged of exchanges) {
    if (exchanged.step.kind !== "ask" || exchanged.step.message.method !== "initialize") continue;
    const { dress } = legacyFound(exchanged);
    if (dress.sessionId !== null) open.push({ url: exchanged.url, dress });
  }
  return open;
}
