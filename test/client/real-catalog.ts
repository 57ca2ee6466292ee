/** A real catalog in this process, with fake relays already registered in it. */
import { parseServeOptions, type RunningCatalog, startCatalog } from "../../src/server/index.ts";
import type { JsonObject } from "../../src/spec/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";

export interface Scene extends AsyncDisposable {
  readonly catalog: RunningCatalog;
  readonly url: string;
  /** Descriptor, both eras, several tools. */
  readonly weather: FakeRelay;
  /** Legacy with sessions, no descriptor. */
  readonly sums: FakeRelay;
  /** Wants a credential; findable by its descriptor. */
  readonly gated: FakeRelay;
}

export const ADMIN = "sesame";

export async function startScene(): Promise<Scene> {
  const weather = await startFakeRelay({
    descriptor: {
      openmcp: "0.1",
      mcp: "/mcp",
      name: "Weather station",
      description: "Forecasts for any city.",
      tags: ["weather"],
      auth: { kind: "none" },
      operator: "https://people.example/.well-known/openprofile.md",
    },
    tools: [
      {
        name: "forecast",
        title: "Weather forecast",
        description: "The weather of the next days in a city.",
        inputSchema: {
          type: "object",
          properties: {
            city: { type: "string", description: "Its name" },
            days: { type: "integer" },
            detail: { type: "object", properties: { wind: { type: "boolean" } } },
          },
          required: ["city"],
        },
      },
      { name: "history", description: "Rainfall of the past.", inputSchema: { type: "object" } },
    ],
    onCall: (name, args): JsonObject =>
      name === "history"
        ? { isError: true, content: [{ type: "text", text: "no records" }] }
        : {
            content: [
              { type: "text", text: JSON.stringify(args), annotations: { audience: ["user"] }, strange: [1] },
            ],
            "x-unknown": { kept: true },
          },
  });
  const sums = await startFakeRelay({
    era: "legacy",
    session: true,
    answer: "sse",
    tools: [{ name: "add", description: "Adds two numbers.", inputSchema: { type: "object" } }],
  });
  const gated = await startFakeRelay({
    token: "mine",
    descriptor: { mcp: "/mcp", name: "Gated", tools: ["open_vault"] },
    tools: [{ name: "open_vault", inputSchema: { type: "object" } }],
  });
  const catalog = await startCatalog(
    parseServeOptions({ port: 0, db: ":memory:", refresh: "off", logLevel: "silent", adminToken: ADMIN }),
  );
  return {
    catalog,
    url: catalog.url,
    weather,
    sums,
    gated,
    async [Symbol.asyncDispose]() {
      await catalog.close();
      await Promise.all([weather, sums, gated].map((relay) => relay.close()));
    },
  };
}
