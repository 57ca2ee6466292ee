/**
 * What comes to `/v1/relays/:id/mcp`, as the input of a passage, or refused: the relay's id, the method, what is posted as it was written.
 * Nothing of a message is judged but that it is JSON-RPC; which headers go on is relay/'s.
 */
import { operations, type PassageInput, readInput } from "../../catalog/index.ts";
import {
  isJsonType,
  mediaType,
  methodNotAllowed,
  parseJson,
  readText,
  relayCredential,
  wrongType,
} from "../../http/index.ts";
import { isJsonObject, type JsonValue, OpenMcpError } from "../../spec/index.ts";
import { MAX_BATCH_MESSAGES, MAX_MESSAGE_BYTES } from "./limits.ts";

export const PASSAGE_METHODS = ["POST", "GET", "DELETE"] as const;

const PATH = /^[a-z]+:\/\/[^/?#]*\/v1\/relays\/([^/?#]+)\/mcp\/?(?:[?#]|$)/;

/** Whether a URL is one of this door's. */
export function isPassage(url: string): boolean {
  return PATH.test(url);
}

/** @throws OpenMcpError `invalid-input`, `too-large`, `unsupported-media-type` or `method-not-allowed` for what is no request of Streamable HTTP. */
export async function readPassage(request: Request): Promise<PassageInput> {
  const method = PASSAGE_METHODS.find((known) => known === request.method);
  if (method === undefined) throw methodNotAllowed(request.method.slice(0, 20), PASSAGE_METHODS);
  const { id: relay } = readInput(operations.get, { id: idOf(request.url) });
  const token = relayCredential(request);
  const about = { relay, method, headers: request.headers, ...(token === null ? {} : { token }) };
  if (method === "POST") return { ...about, ...(await readMessages(request)) };
  // A page that embeds this as an image or a script asks for other things, and opens no stream at a relay.
  if (method === "GET" && !/\btext\/event-stream\b/i.test(request.headers.get("accept") ?? "")) {
    throw new OpenMcpError(
      "invalid-input",
      "this is a relay's MCP endpoint, for MCP clients: GET it with Accept: text/event-stream, or POST to it",
      { data: { field: "Accept" } },
    );
  }
  return about;
}

/** As it was written: every digit goes on. That it is JSON-RPC is all that is asked of it. */
async function readMessages(request: Request): Promise<Pick<PassageInput, "body" | "messages">> {
  const type = mediaType(request);
  if (!isJsonType(type)) throw wrongType("send JSON-RPC as application/json", type);
  const text = await readText(request, { maxBytes: MAX_MESSAGE_BYTES });
  const body = parseJson(text);
  const messages = Array.isArray(body) ? body : [body];
  if (messages.length > MAX_BATCH_MESSAGES) {
    throw new OpenMcpError("too-large", `a batch may have ${MAX_BATCH_MESSAGES} messages: send several`, {
      data: { limit: MAX_BATCH_MESSAGES, unit: "messages" },
    });
  }
  if (messages.length > 0 && messages.every(isRpc)) return { body: text, messages: messages.length };
  throw new OpenMcpError("invalid-input", "the body must be a JSON-RPC 2.0 message", {
    data: { field: "body" },
  });
}

function isRpc(message: JsonValue): boolean {
  return isJsonObject(message) && message.jsonrpc === "2.0";
}

function idOf(url: string): string {
  const [, segment = ""] = PATH.exec(url) ?? [];
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
