/** One instance of a relay that several serve, with tools that show whether they are one: for shared-sessions.test.ts. */
import { type EventStore, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { callerOf, type EventBus, type Kit, type SessionStore, serve } from "../../src/kit/index.ts";

export interface Shared {
  readonly store: SessionStore;
  readonly bus: EventBus;
  readonly eventStore?: (session: string) => EventStore;
}

const text = (value: unknown) => ({
  content: [{ type: "text" as const, text: typeof value === "string" ? value : JSON.stringify(value) }],
});

export function createInstance(name: string, { store, bus, eventStore }: Shared): Kit {
  const kit: Kit = serve<{ id: string }, { count: number }>({
    description: { name: "shared", version: "1.0.0" },
    authenticate: (request) => ({ id: request.headers.get("x-user") ?? "anyone" }),
    bus,
    sessions: { store, state: () => ({ count: 0 }), ...(eventStore === undefined ? {} : { eventStore }) },
    drainMs: 500,
    server: () => {
      const mcp = new McpServer({ name: "shared", version: "1.0.0" }, { capabilities: { logging: {} } });
      mcp.registerResource("note", "note://one", {}, ({ href }) => ({ contents: [{ uri: href, text: "" }] }));
      mcp.registerTool("who", {}, async (context) => {
        const { session } = callerOf<unknown, { count: number }>(context);
        const state = await session?.state.update(({ count }) => ({ count: count + 1 }));
        return text({
          name,
          count: state?.count,
          client: mcp.server.getClientVersion()?.name,
          elicits: mcp.server.getClientCapabilities()?.elicitation !== undefined,
        });
      });
      mcp.registerTool("ask", {}, async (context) => {
        const params = {
          message: "What is your name?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } } },
        } as const;
        const answer = await context.mcpReq.elicitInput(params as never);
        return text({ name, answer: answer.content?.name });
      });
      mcp.registerTool("sample", {}, async (context) => {
        const said = await context.mcpReq.requestSampling({
          messages: [{ role: "user", content: { type: "text", text: "Say a word" } }],
          maxTokens: 9,
        });
        return text({ name, said: (said.content as { text?: string }).text });
      });
      mcp.registerTool(
        "change",
        { inputSchema: z.object({ how: z.string() }) },
        async ({ how }, { sessionId }) => {
          if (how === "kit") kit.notify.resourceUpdated("note://one");
          if (how === "own") await mcp.server.sendResourceUpdated({ uri: "note://one" });
          if (how === "log") await mcp.server.sendLoggingMessage({ level: "info", data: name }, sessionId);
          return text(name);
        },
      );
      mcp.registerTool("wait", {}, async (context) => {
        await context.mcpReq.notify({
          method: "notifications/message",
          params: { level: "error", data: "it waits" },
        });
        await new Promise<void>((resolve) => {
          context.mcpReq.signal.addEventListener("abort", () => resolve(), { once: true });
        });
        await callerOf<unknown, { count: number }>(context).session?.state.update(() => ({ count: 1_000 }));
        return text("cancelled");
      });
      mcp.registerTool("steps", {}, async (context) => {
        for (const data of ["one", "two", "three"]) {
          await context.mcpReq.notify({ method: "notifications/message", params: { level: "error", data } });
        }
        return text("done");
      });
      return mcp;
    },
  });
  return kit;
}
