/**
 * The handshake over a link, by the SDK's client: `server/discover`, then `initialize` where the server is of the older era, or just
 * the one that the caller wants. Rejects with the SDK's own errors; the link is then its
 * caller's to close.
 */
import type { Client, ClientCapabilities, Implementation } from "@modelcontextprotocol/client";
import { PROBE_TIMEOUT_MS } from "../limits.ts";
import { untilAborted } from "../until-aborted.ts";
import { type Answerers, answerWith } from "./answering.ts";
import type { Link } from "./link.ts";

export interface HandshakePlan {
  readonly info: Implementation;
  readonly capabilities?: ClientCapabilities | undefined;
  readonly handlers?: Answerers | undefined;
  /** A version of either era to offer, and no other era; absent: the newer era, else 2025-11-25. */
  readonly protocolVersion?: string | undefined;
  /** `legacy`: no `server/discover`. */
  readonly era?: "auto" | "legacy" | undefined;
  /** Refuse locally what the server does not offer. */
  readonly strict?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeoutMs: number;
}

export async function shake(link: Link, plan: HandshakePlan): Promise<Client> {
  const { Client, SUPPORTED_PROTOCOL_VERSIONS } = await import("@modelcontextprotocol/client");
  const { protocolVersion: wanted, timeoutMs, signal } = plan;
  const modern = wanted !== undefined && isModern(wanted);
  const client = new Client(plan.info, {
    capabilities: plan.capabilities ?? {},
    enforceStrictCapabilities: plan.strict ?? false,
    inputRequired: { autoFulfill: plan.handlers !== undefined && Object.keys(plan.handlers).length > 0 },
    versionNegotiation: {
      mode: modern ? { pin: wanted } : wanted !== undefined || plan.era === "legacy" ? "legacy" : "auto",
      probe: { timeoutMs: link.kind === "http" ? timeoutMs : Math.min(timeoutMs / 2, PROBE_TIMEOUT_MS) },
    },
    ...(wanted === undefined || modern
      ? {}
      : {
          supportedProtocolVersions: [
            wanted,
            ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== wanted),
          ],
        }),
  });
  answerWith(client, plan.handlers);
  // The SDK's own look for the era does not heed the signal; closing the link ends it.
  await untilAborted(client.connect(link.transport, { signal, timeout: timeoutMs }), signal);
  return client;
}

/** Versions are dates, and the newer era began with this one. */
function isModern(version: string): boolean {
  return version >= "2026-07-28";
}
