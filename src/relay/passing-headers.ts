/**
 * The headers of a pass-through, both ways, built afresh: what MCP's Streamable HTTP names (revisions 2025-03-26 to 2026-07-28), each
 * value of its form, and nothing else of either side. A caller's value that is not of its form is refused by name; a relay's is left
 * out, as a client can do without it. Pure.
 */
import { OpenMcpError } from "../spec/index.ts";
import { parseChallenge } from "./challenge.ts";
import { MAX_PASSED_HEADER_LENGTH } from "./limits.ts";
import { BODY_HEADERS } from "./protocol.ts";

/** Visible ASCII, as the protocol has session ids ("Session Management"). */
const VISIBLE = /^[\x21-\x7e]+$/;
const PRINTABLE = /^[\x20-\x7e]+$/;
const REVISION = /^[\w.-]{1,40}$/;

/** What goes up beside what is always sent. */
const UPWARDS: ReadonlyMap<string, RegExp> = new Map([
  ["mcp-protocol-version", REVISION],
  ["mcp-session-id", VISIBLE],
  ["mcp-method", VISIBLE],
  ["mcp-name", PRINTABLE],
  ["last-event-id", PRINTABLE],
  // Whom it came through already (RFC 8586).
  ["cdn-loop", PRINTABLE],
]);
/** Arguments that a tool's schema puts into headers (SEP-2243). */
const PARAMETER = /^mcp-param-[\w-]{1,64}$/;

/** Schemes that no browser asks its user for: `Basic` would open a box in the catalog's name. */
const QUIET_SCHEMES = /^(?:Bearer|DPoP)$/i;

/** What stands in quotes without a backslash (RFC 9110 section 5.6.4). */
const QUOTABLE = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

export type PassedMethod = "POST" | "GET" | "DELETE";

/**
 * The headers to a relay, without a credential.
 * @throws OpenMcpError `invalid-input`, naming the header.
 */
export function headersUp(
  method: PassedMethod,
  given: Iterable<readonly [string, string]>,
): Record<string, string> {
  const headers: Record<string, string> =
    method === "POST" ? { ...BODY_HEADERS } : method === "GET" ? { accept: "text/event-stream" } : {};
  for (const [name, value] of given) {
    const form = UPWARDS.get(name) ?? (PARAMETER.test(name) ? PRINTABLE : undefined);
    if (form === undefined) continue;
    // An empty one says nothing: some clients send an empty Last-Event-ID.
    if (value === "") continue;
    if (value.length > MAX_PASSED_HEADER_LENGTH || !form.test(value)) {
      throw new OpenMcpError("invalid-input", `the header ${name} is not of its form`, {
        data: { field: name },
      });
    }
    headers[name] = value;
  }
  return headers;
}

/** What of a relay's headers goes to its caller, its content type aside; lower-case names. */
export function headersDown(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {};
  const keep = (name: string, form: RegExp): void => {
    const value = headers[name];
    if (value !== undefined && value.length <= MAX_PASSED_HEADER_LENGTH && form.test(value))
      kept[name] = value;
  };
  keep("mcp-session-id", VISIBLE);
  keep("mcp-protocol-version", REVISION);
  keep("retry-after", /^\d{1,6}$/);
  keep("allow", /^[A-Z]{3,8}(?:, ?[A-Z]{3,8}){0,7}$/);
  const challenge = challengeText(headers["www-authenticate"]);
  return challenge === null ? kept : { ...kept, "www-authenticate": challenge };
}

/** What a body is sent as: the two forms that an answer of MCP has; null for another, or none. */
export function passedType(header: string | undefined): "application/json" | "text/event-stream" | null {
  const type = header?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "text/event-stream") return type;
  return type === "application/json" || /^application\/[\w.-]{1,60}\+json$/.test(type)
    ? "application/json"
    : null;
}

/** The challenge that a client acts on, written anew; null where there is none of a quiet scheme. */
function challengeText(header: string | undefined): string | null {
  const challenge = parseChallenge(header);
  if (challenge === null) return null;
  const { scheme, realm, scope, resourceMetadata } = challenge;
  if (scheme === null || !QUIET_SCHEMES.test(scheme)) return null;
  const parameters = Object.entries({ realm, scope, resource_metadata: resourceMetadata }).flatMap(
    ([name, value]) => (typeof value === "string" && QUOTABLE.test(value) ? [`${name}="${value}"`] : []),
  );
  return [scheme, parameters.join(", ")].filter((part) => part !== "").join(" ");
}
