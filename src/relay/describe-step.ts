/** One exchange as a step for people: `openmcp probe` prints them, a refusal carries them as evidence. Pure. */
import type { ProbeStep } from "../spec/index.ts";
import { isRpc } from "./answer.ts";
import { legacyFound } from "./conversation.ts";
import { readDiscover } from "./era.ts";
import { explain } from "./explain.ts";
import { quotable } from "./quotable.ts";
import { type Exchanged, httpMethod, stepName } from "./step.ts";
import { toolsOf } from "./tool-pages.ts";

export function describeStep(exchanged: Exchanged): ProbeStep {
  const { ok, outcome } = describe(exchanged);
  return {
    step: stepName(exchanged.step),
    method: httpMethod(exchanged.step),
    url: exchanged.url,
    status: exchanged.status,
    ms: Math.round(exchanged.ms),
    outcome,
    ok,
  };
}

function describe(exchanged: Exchanged): { readonly ok: boolean; readonly outcome: string } {
  const { status, answer } = exchanged;
  switch (stepName(exchanged.step)) {
    case "server/discover": {
      const { era, version } = readDiscover(exchanged, dressVersion(exchanged));
      if (era === "modern") return { ok: true, outcome: `It speaks ${quotable(version)}.` };
      if (era === "again") return { ok: false, outcome: `It wants another revision: ${quotable(version)}.` };
      if (isRpc(answer) && status !== 401 && status !== 403) {
        return { ok: false, outcome: "It does not speak the modern era: asking in the older one." };
      }
      return { ok: false, outcome: explain(exchanged).sentence };
    }
    case "initialize": {
      if (answer.kind !== "result") return { ok: false, outcome: explain(exchanged).sentence };
      const { version, dress } = legacyFound(exchanged);
      const session = dress.sessionId === null ? "" : ", in a session";
      return { ok: true, outcome: `It speaks ${quotable(version)}${session}.` };
    }
    case "tools/list": {
      const tools = toolsOf(exchanged);
      if (tools === null) return { ok: false, outcome: explain(exchanged).sentence };
      return {
        ok: true,
        outcome: tools.length === 1 ? "It lists 1 tool." : `It lists ${tools.length} tools.`,
      };
    }
    case "GET":
      return answer.kind === "endpoint-event"
        ? { ok: true, outcome: "It speaks HTTP+SSE, the transport of 2024-11-05." }
        : { ok: false, outcome: "It is no HTTP+SSE server either." };
    case "DELETE":
      return status === null
        ? { ok: false, outcome: "Its session could not be deleted; it will expire." }
        : { ok: true, outcome: "Its session is left." };
    default:
      return status === null
        ? { ok: false, outcome: "It does not answer the notification; that is bearable." }
        : { ok: true, outcome: "It was told that we are ready." };
  }
}

function dressVersion({ step }: Exchanged): string {
  return step.kind === "ask" ? (step.dress.version ?? "") : "";
}
