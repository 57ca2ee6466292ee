/** What instances tell each other of a session, over the bus. What comes in is another process's word: read before it is believed. */
import { isJsonObject, type JsonObject } from "../../spec/index.ts";
import type { BusEvent } from "./event-bus.ts";

/**
 * - `session_answer`: the client's answer, or its progress, to what instance `to` asked.
 * - `session_notice`: a notification of the client's that other instances need: it cancels, it is ready, its roots changed.
 * - `session_setting`: a request of the client's that every instance has to follow: a log level, a subscription.
 * - `session_outgoing`: a message for the client's stream, wherever that is open.
 * - `session_stream`: from now on the stream is at `from`.
 * - `session_ended`: the session is over.
 */
export type Mail = { readonly session: string; readonly from: string } & (
  | { readonly kind: "session_answer"; readonly to: string; readonly message: JsonObject }
  | {
      readonly kind: "session_notice" | "session_setting" | "session_outgoing";
      readonly message: JsonObject;
    }
  | { readonly kind: "session_stream" | "session_ended" }
);

const WITH_MESSAGE = new Set(["session_answer", "session_notice", "session_setting", "session_outgoing"]);
const WITHOUT = new Set(["session_stream", "session_ended"]);

/** Null when an event is no such mail. */
export function readMail(event: BusEvent): Mail | null {
  const { kind, session, from, to, message } = event as JsonObject & { readonly kind: string };
  if (typeof session !== "string" || typeof from !== "string") return null;
  if (WITHOUT.has(kind)) return event as unknown as Mail;
  if (!WITH_MESSAGE.has(kind) || !isJsonObject(message)) return null;
  if (kind === "session_answer" && typeof to !== "string") return null;
  return event as unknown as Mail;
}
