/**
 * The MCP form of an error: the one total map from code to what an agent should do next. A failed operation is a tool
 * result with `isError` (MCP 2025-11-25 "Tools", Error Handling), so that the model reads it and can go on.
 */
import type { PublicError } from "../../http/index.ts";
import { type ErrorCode, FAILURE_META_KEY, stringifyRaw, trimEndOf } from "../../spec/index.ts";

const TRY_LATER = "Try again in a while; if it stays so, tell the user.";
const OFFLINE =
  "get_relay says when it last answered; refresh_relay looks again, and find_tool may know another relay.";

/** A sentence each. A code without an entry does not compile. */
export const advice: Readonly<Record<ErrorCode, string>> = {
  "invalid-input": "Correct the named argument and call again; the tool's input schema has its form.",
  unauthorized: "Only the catalog's operator can do this.",
  forbidden: "This caller can't do this here.",
  "not-found":
    "Take ids from list_relays or find_tool, and tool names from get_relay, exactly as they are written there.",
  "method-not-allowed": "Use one of this server's tools.",
  "unsupported-media-type": "Send JSON.",
  "too-large": "Ask for less at once.",
  "rate-limited": "Wait as long as the answer says, then call again.",
  conflict: "Call again: the record changed meanwhile.",
  gone: "Start again from the first page.",
  "not-listed":
    "Check the URL with the user. The evidence below says what was found; the relay's operator can serve /.well-known/openmcp.json to be listed.",
  "relay-error":
    "The relay refused the call itself. Compare the arguments with the tool's input schema (get_relay has it).",
  "tool-error": "Read the tool's own message and correct the arguments.",
  "relay-refused":
    "Ask the user for a credential of this relay and pass it as token; get_relay names where to get one, where the relay says so (descriptor.auth.url).",
  "relay-unreachable": OFFLINE,
  "relay-timeout": `The call may have run: check before calling again. ${OFFLINE}`,
  blocked: "The catalog does not go to this address. Give a public http or https URL.",
  timeout: TRY_LATER,
  unreachable: "Check the URL; if it is right, try again later.",
  "tls-failed": "The relay's operator has to mend its certificate.",
  "too-many-redirects": "Give the URL that the redirects end at.",
  aborted: "The call was cancelled.",
  unavailable: TRY_LATER,
  "schema-too-new": "Tell the user: the catalog's operator has to look at it.",
  internal: "It is no fault of the arguments. Call once more; if it fails again, tell the user.",
  "unsupported-transport": "Use the catalog's REST API for this.",
  "catalog-unreachable": TRY_LATER,
  "catalog-answer": TRY_LATER,
};

/**
 * The failed result: what happened and what to do, then the code and the details as JSON, where `detail` is the sentence without
 * the advice, as a problem document has it. The mark in `_meta` tells it from a failure of a relay's tool, which may look like it.
 */
export function failedResult(error: PublicError) {
  const sentence = `${trimEndOf(error.message, ". \n")}.`;
  // A plain word only: a URL or a relay's id in capitals is another one.
  const start = /^[a-z]+[ ,]/.test(sentence) ? sentence.charAt(0).toUpperCase() : sentence.charAt(0);
  const details = { code: error.code, detail: error.message, ...error.data };
  return {
    isError: true,
    content: [
      { type: "text", text: `${start}${sentence.slice(1)} ${advice[error.code]}` },
      { type: "text", text: stringifyRaw(details) },
    ],
    _meta: { [FAILURE_META_KEY]: { code: error.code } },
  };
}
