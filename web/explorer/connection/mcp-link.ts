/**
 * From the browser to the server, itself or where a catalog passes everything on to it, by the official SDK's client, in whichever era the
 * server speaks. Results are the server's own word: the SDK's schemas, which leave out what they don't know, are passed by.
 */
import {
  Client,
  LOG_LEVEL_META_KEY,
  type RequestOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { anyObject, isJsonObject, type JsonObject, type JsonValue } from "../../../src/spec/index.ts";
import { readExact } from "../json/exact.ts";
import { CONNECT_MS, MAX_PAGES, REQUEST_MS } from "../limits.ts";
import type { CallOptions, Link, LinkOptions, Outcome, Prompt, Resource, Tool } from "./link.ts";
import { changingLists, keepListening } from "./listening.ts";
import { entriesOf, promptOf, resourceOf, text, toolOf } from "./read-lists.ts";
import type { Wire } from "./wire.ts";

export interface McpLinkOptions extends LinkOptions {
  readonly kind: Link["kind"];
  readonly endpoint: URL;
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  readonly wire: Wire;
  readonly signal: AbortSignal;
}

/** Rejects with the SDK's own errors; reasons.ts has words for them. */
export async function openLink(options: McpLinkOptions): Promise<Link> {
  const { endpoint, fetch, wire } = options;
  const transport = new StreamableHTTPClientTransport(endpoint, { fetch });
  const client = new Client(
    { name: "openmcp-explorer", title: "OpenMCP Explorer", version: "0.1.0" },
    {
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: "auto" },
      // Results are judged by the views, which show what came in any case.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  answer(client, options);
  const stop = (): void => void client.close().catch(() => undefined);
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    await client.connect(transport, { timeout: CONNECT_MS, signal: options.signal });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  } finally {
    options.signal.removeEventListener("abort", stop);
  }
  let open = true;
  client.onclose = () => {
    if (open) options.closed("The connection ended.");
    open = false;
  };
  return linkOf({ kind: options.kind, client, transport, wire, shut: () => (open = false) });
}

/** What a server may ask for, and what it tells unasked. */
function answer(client: Client, { ask, notice, roots }: LinkOptions): void {
  client.setRequestHandler("elicitation/create", async (request, context) => {
    const params = request.params as unknown as JsonObject;
    return (await ask({ kind: "elicitation", params, signal: context.mcpReq.signal })) as never;
  });
  client.setRequestHandler("sampling/createMessage", async (request, context) => {
    const params = request.params as unknown as JsonObject;
    return (await ask({ kind: "sampling", params, signal: context.mcpReq.signal })) as never;
  });
  client.setRequestHandler("roots/list", () => ({ roots: roots().map((uri) => ({ uri })) }));
  client.fallbackNotificationHandler = async ({ method, params }) =>
    notice({ at: Date.now(), method, params: (params ?? {}) as JsonObject });
}

interface Parts {
  readonly kind: Link["kind"];
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  readonly wire: Wire;
  readonly shut: () => void;
}

function linkOf({ kind, client, transport, wire, shut }: Parts): Link {
  const protocolVersion = client.getNegotiatedProtocolVersion() ?? null;
  const modern = protocolVersion !== null && protocolVersion >= "2026";
  const capabilities = (client.getServerCapabilities() ?? {}) as JsonObject;
  const about = client.getServerVersion();
  let logLevel: string | null = null;
  const changing = modern ? changingLists(capabilities) : null;
  // Not to hear of changes is no reason not to begin.
  if (changing !== null) keepListening(client, changing).catch(() => undefined);

  async function request(
    method: string,
    params: JsonObject,
    { signal, onProgress }: CallOptions,
  ): Promise<Outcome> {
    const since = wire.next;
    const meta = modern && logLevel !== null ? { _meta: { [LOG_LEVEL_META_KEY]: logLevel } } : {};
    const options: RequestOptions = {
      signal,
      timeout: REQUEST_MS,
      resetTimeoutOnProgress: true,
      ...(onProgress === undefined
        ? {}
        : {
            onprogress: ({ progress, total, message }) =>
              onProgress({ done: progress, total: total ?? null, message: message ?? null }),
          }),
    };
    const result = await client.request(
      { method, params: { ...params, ...meta } } as never,
      anyObject,
      options,
    );
    const exact = wire.exactResult(method, { since, result });
    return { result: exact === null ? result : (readExact(exact) as JsonObject) };
  }

  async function all<T>(
    method: string,
    key: string,
    read: (entry: JsonValue) => T | null,
  ): Promise<readonly T[]> {
    const found: T[] = [];
    const seen = new Set<string>();
    let cursor: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { result } = await request(method, cursor === null ? {} : { cursor }, { signal: never });
      for (const entry of entriesOf(result, key)) {
        const item = read(entry);
        if (item !== null) found.push(item);
      }
      cursor = text(result.nextCursor);
      if (cursor === null || seen.has(cursor)) break;
      seen.add(cursor);
    }
    return found;
  }

  const resourcesCan = isJsonObject(capabilities.resources) ? capabilities.resources : null;
  return {
    kind,
    server: {
      name: about?.title ?? about?.name ?? "A server without a name",
      version: about?.version ?? null,
      protocolVersion,
      era: protocolVersion === null ? null : modern ? "modern" : "legacy",
      instructions: client.getInstructions() ?? null,
      capabilities,
    },
    tools: async () =>
      capabilities.tools === undefined ? [] : await all<Tool>("tools/list", "tools", toolOf),
    async callTool(tool, args, options) {
      const params = { name: tool.name, arguments: args } as JsonObject;
      if (!modern || !JSON.stringify(tool.inputSchema).includes('"x-mcp-header"')) {
        return request("tools/call", params, options);
      }
      // Some arguments go into headers too (SEP-2243), which the SDK does for this method only.
      const since = wire.next;
      const definition = { ...tool.whole, outputSchema: undefined };
      const result = (await client.callTool(params as never, {
        signal: options.signal,
        timeout: REQUEST_MS,
        toolDefinition: definition as never,
      })) as unknown as JsonObject;
      const exact = wire.exactResult("tools/call", { since, result });
      return { result: exact === null ? result : (readExact(exact) as JsonObject) };
    },
    async resources() {
      if (resourcesCan === null) return [];
      const [plain, templates] = await Promise.all([
        all<Resource>("resources/list", "resources", (entry) => resourceOf(entry, false)),
        // Servers without templates often lack the method.
        all<Resource>("resources/templates/list", "resourceTemplates", (entry) =>
          resourceOf(entry, true),
        ).catch(() => []),
      ]);
      return [...plain, ...templates];
    },
    readResource: (uri, options) => request("resources/read", { uri }, options),
    prompts: async () =>
      capabilities.prompts === undefined ? [] : await all<Prompt>("prompts/list", "prompts", promptOf),
    getPrompt: (name, args, options) => request("prompts/get", { name, arguments: args }, options),
    async complete(reference, argument) {
      if (capabilities.completions === undefined) return [];
      const ref: JsonObject =
        "prompt" in reference
          ? { type: "ref/prompt", name: reference.prompt }
          : { type: "ref/resource", uri: reference.template };
      const { result } = await request(
        "completion/complete",
        { ref, argument: { ...argument } },
        { signal: never },
      );
      const values = isJsonObject(result.completion) ? result.completion.values : [];
      return (Array.isArray(values) ? values : []).filter((value) => typeof value === "string").slice(0, 100);
    },
    subscribe: resourcesCan?.subscribe !== true ? null : subscribe,
    setLogLevel:
      capabilities.logging === undefined
        ? null
        : async (level) => {
            logLevel = level;
            if (!modern) await request("logging/setLevel", { level }, { signal: never });
          },
    ping: modern
      ? null
      : async () => {
          await request("ping", {}, { signal: never });
        },
    async close() {
      shut();
      if (transport.sessionId !== undefined) {
        await Promise.race([
          transport.terminateSession().catch(() => undefined),
          new Promise((resolve) => setTimeout(resolve, 2_000)),
        ]);
      }
      await client.close();
    },
  };

  async function subscribe(uri: string): Promise<() => Promise<void>> {
    if (modern) return keepListening(client, { resourceSubscriptions: [uri] });
    await client.subscribeResource({ uri });
    return async () => void (await client.unsubscribeResource({ uri }));
  }
}

const never = new AbortController().signal;
