/**
 * Through a catalog: its record of the relay, and its forward of one call at a time. No CORS in the way, and no word of resources,
 * prompts or progress: a catalog forwards tools. What the relay asks for in the middle (modern era) is asked here, and sent along.
 */
import { isJsonObject, type JsonObject, type JsonValue, memberText } from "../../../src/spec/index.ts";
import { readExact } from "../json/exact.ts";
import { MAX_ROUNDS } from "../limits.ts";
import type { CallOptions, Link, LinkOptions, Outcome, Question, Tool } from "./link.ts";
import { entriesOf, text, toolOf } from "./read-lists.ts";

export interface ForwardOptions extends Pick<LinkOptions, "ask" | "roots"> {
  /** The catalog's base, with a slash at its end. */
  readonly catalog: URL;
  readonly relay: string;
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** The credential for the relay; "" for none. */
  readonly token: () => string;
  readonly signal: AbortSignal;
}

/** The catalog's problem document, as an error. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  readonly code: string;
  readonly status: number;

  constructor(problem: { readonly code: string; readonly message: string; readonly status: number }) {
    super(problem.message);
    this.code = problem.code;
    this.status = problem.status;
  }
}

/** @throws CatalogError when the catalog has no such relay. */
export async function openForward(
  options: ForwardOptions,
): Promise<Link & { readonly endpoint: string | null }> {
  const { catalog, relay, fetch } = options;
  const base = new URL(`v1/relays/${encodeURIComponent(relay)}`, catalog);
  const { body } = await answerOf(await fetch(base, { signal: options.signal }));
  const record = isJsonObject(body.relay) ? body.relay : {};
  const descriptor = isJsonObject(record.descriptor) ? record.descriptor : {};
  const server = isJsonObject(record.server) ? record.server : {};
  const probe = isJsonObject(record.probe) ? record.probe : {};
  const version = text(probe.era);
  const none = async (): Promise<never> => {
    throw new CatalogError({
      code: "unsupported",
      status: 501,
      message: "A catalog forwards calls of tools only.",
    });
  };
  return {
    kind: "forwarded",
    endpoint: text(descriptor.mcp) ?? text(record.source),
    server: {
      name: text(descriptor.name) ?? text(server.name) ?? relay,
      version: text(server.version),
      protocolVersion: version ?? text(server.protocolVersion),
      era: version === null ? null : version >= "2026" ? "modern" : "legacy",
      instructions: text(descriptor.description),
      capabilities: { tools: {} },
    },
    async tools() {
      const listed = await answerOf(await fetch(new URL(`${base.pathname}/tools`, base)));
      return entriesOf(listed.body, "tools").flatMap((entry): Tool[] => {
        const tool = toolOf(entry);
        return tool === null ? [] : [tool];
      });
    },
    callTool: (tool, args, call) => forward(tool.name, args, call),
    resources: async () => [],
    readResource: none,
    prompts: async () => [],
    getPrompt: none,
    complete: async () => [],
    subscribe: null,
    setLogLevel: null,
    ping: null,
    close: async () => {},
  };

  async function forward(tool: string, args: JsonValue, { signal }: CallOptions): Promise<Outcome> {
    let more: JsonObject = {};
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const token = options.token();
      const body = {
        tool,
        arguments: args,
        clientCapabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
        ...(token === "" ? {} : { token }),
        ...more,
      };
      const response = await fetch(new URL(`${base.pathname}/call`, base), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal,
      });
      const { text: whole } = await answerOf(response);
      const result = readExact(memberText(whole, "result") ?? "{}") as JsonObject;
      if (result.resultType !== "input_required") return { result };
      const inputResponses = await answers(result, signal);
      more = {
        inputResponses,
        ...(typeof result.requestState === "string" ? { requestState: result.requestState } : {}),
      };
    }
    throw new CatalogError({
      code: "rounds",
      status: 0,
      message: `It asked ${MAX_ROUNDS} times and gave no result.`,
    });
  }

  async function answers(result: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const given: Record<string, JsonValue> = {};
    for (const [key, request] of isJsonObject(result.inputRequests)
      ? Object.entries(result.inputRequests)
      : []) {
      const { method, params } = isJsonObject(request) ? request : {};
      const kind = KINDS[String(method)];
      if (kind !== undefined)
        given[key] = await options.ask({ kind, params: isJsonObject(params) ? params : {}, signal });
      else if (method === "roots/list") given[key] = { roots: options.roots().map((uri) => ({ uri })) };
    }
    return given;
  }
}

const KINDS: Readonly<Record<string, Question["kind"]>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
};

async function answerOf(response: Response): Promise<{ readonly text: string; readonly body: JsonObject }> {
  const whole = await response.text();
  let body: JsonValue = null;
  try {
    body = JSON.parse(whole) as JsonValue;
  } catch {
    // Told below.
  }
  if (response.ok && isJsonObject(body)) return { text: whole, body };
  const problem = isJsonObject(body) ? body : {};
  throw new CatalogError({
    code: text(problem.code) ?? "catalog-answer",
    status: response.status,
    message: text(problem.detail) ?? text(problem.title) ?? `The catalog answered ${response.status}.`,
  });
}
