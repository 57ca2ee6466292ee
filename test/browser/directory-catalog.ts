/**
 * A running catalog for the directory's tests, with relays as they are out there: a farm of plain ones, a server of the official SDK
 * with every kind of schema, one that is down, one that wants a credential, and one whose every text is hostile.
 */
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { buildDirectory } from "../../build/directory.ts";
import { parseServeOptions, startCatalog } from "../../src/server/index.ts";
import { type FakeRelay, startFakeFarm, startFakeRelay } from "../../src/testing/index.ts";
import { serveFetch } from "./serve-fetch.ts";

export const HOSTILE = `"><script>document.title="broken"</script><img src=x onerror="document.title='broken'">\u202eright to left\u202c مرحبا بالعالم 👩‍👩‍👧‍👦🇨🇭 ${"long ".repeat(1_000)}`;
const UNBROKEN = "x".repeat(5_000);

export interface DirectoryCatalog extends AsyncDisposable {
  readonly url: string;
  /** Ids by what they are. */
  readonly ids: Readonly<Record<"weather" | "sdk" | "down" | "gated" | "hostile", string>>;
  /** Answers, and is not listed. */
  readonly fresh: FakeRelay;
}

const trades = [
  [
    "Weather Bureau",
    "Forecasts and warnings for any place on earth, by the hour and for two weeks ahead.",
    ["weather", "maps"],
    "none",
  ],
  [
    "Paper Mill",
    "Turns documents into other documents: PDF, Word, Markdown and plain text, whole folders at once.",
    ["documents", "pdf"],
    "none",
  ],
  ["Job Board", "Open positions in software and science.", ["jobs"], "bearer"],
  [
    "Ledger",
    "Double-entry bookkeeping with statements on demand. Read what was spent and post what will be.",
    ["finance"],
    "oauth",
  ],
  ["Map Room", "Routes, distances and places.", ["maps"], "api-key"],
  ["Translator", "Between forty languages, keeping the layout.", ["language", "documents"], "none"],
] as const;

const tools = [
  [
    "forecast",
    "The forecast for a place.",
    {
      city: { type: "string", description: "A place's name." },
      days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
    },
  ],
  ["convert_pdf", "Convert a PDF to text, page by page.", { file: { type: "string", format: "uri" } }],
  ["search_jobs", "Find open positions by words.", { q: { type: "string" } }],
  ["post_entry", "Post an entry to an account.", { account: { type: "string" }, amount: { type: "number" } }],
  ["route", "The way from one place to another.", { from: { type: "string" }, to: { type: "string" } }],
  ["translate", "Translate a text.", { text: { type: "string" }, to: { enum: ["de", "fr", "it"] } }],
] as const;

function sdkServer(): McpServer {
  const mcp = new McpServer({ name: "studio", title: "Studio", version: "3.1.0" });
  mcp.registerTool(
    "draw_chart",
    {
      title: "Draw a chart",
      description: "Draws a chart from rows of numbers.\nThe picture comes back as SVG.",
      inputSchema: z.object({
        kind: z.enum(["bar", "line", "pie"]).default("bar").describe("Which chart."),
        rows: z
          .array(z.object({ label: z.string(), value: z.number().min(0) }))
          .min(1)
          .describe("What to draw."),
        size: z.object({ width: z.number().int().max(4_000), height: z.number().int() }).optional(),
        title: z
          .string()
          .max(80)
          .optional()
          .meta({ examples: ["Sales"] }),
      }),
      outputSchema: z.object({ svg: z.string(), bytes: z.number().int() }),
      annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
    },
    () => ({ content: [], structuredContent: { svg: "<svg/>", bytes: 6 } }),
  );
  mcp.registerTool(
    "delete_chart",
    {
      description: "Deletes a chart.",
      inputSchema: z.object({ id: z.string() }),
      annotations: { destructiveHint: true },
    },
    () => ({ content: [] }),
  );
  return mcp;
}

export async function startDirectoryCatalog({ relays = 60 } = {}): Promise<DirectoryCatalog> {
  await buildDirectory(new URL("../../dist/web/assets", import.meta.url).pathname);
  const opened: AsyncDisposable[] = [];
  const open = async <T extends AsyncDisposable>(one: Promise<T>): Promise<T> => {
    const done = await one;
    opened.push(done);
    return done;
  };
  const farm = await open(
    startFakeFarm(relays, {
      descriptor(index) {
        const [name, description, tags, kind] = trades[index % trades.length] ?? trades[0];
        const number = Math.floor(index / trades.length);
        return {
          openmcp: "0.1",
          mcp: "/mcp",
          name: number === 0 ? name : `${name} ${number + 1}`,
          description,
          tags,
          auth: { kind, ...(kind === "none" ? {} : { url: "https://keys.example/get" }) },
          ...(index % 2 === 0
            ? { operator: "https://operator.example/openprofile.md", url: "https://operator.example" }
            : {}),
        };
      },
      tools(index) {
        const count = 1 + (index % 3);
        return Array.from({ length: count }, (_, at) => {
          const [name, description, properties] = tools[(index + at) % tools.length] ?? tools[0];
          return {
            name,
            description,
            inputSchema: { type: "object", properties, required: [Object.keys(properties)[0] ?? ""] },
          };
        });
      },
    }),
  );
  const sdk = await open(serveFetch(() => (request) => createMcpHandler(sdkServer).fetch(request)));
  const down = await open(
    startFakeRelay({
      era: "legacy",
      descriptor: { mcp: "/mcp", name: "Archive", description: "Old papers." },
    }),
  );
  const gated = await open(
    startFakeRelay({
      token: "secret",
      descriptor: {
        mcp: "/mcp",
        name: "Vault",
        description: "Keeps secrets.",
        auth: { kind: "bearer", url: "https://vault.example/keys" },
      },
    }),
  );
  const hostile = await open(
    startFakeRelay({
      descriptor: {
        mcp: "/mcp",
        name: HOSTILE,
        description: HOSTILE + UNBROKEN,
        tags: [HOSTILE, UNBROKEN],
        url: "javascript:alert(1)",
        operator: "javascript:alert(1)",
        auth: { kind: HOSTILE, url: "javascript:alert(1)" },
      },
      serverInfo: { name: HOSTILE, version: HOSTILE },
      tools: [
        {
          name: HOSTILE.slice(0, 300),
          title: HOSTILE,
          description: HOSTILE,
          inputSchema: {
            type: "object",
            required: [HOSTILE],
            properties: {
              [HOSTILE]: {
                type: HOSTILE,
                description: HOSTILE,
                enum: [HOSTILE, UNBROKEN],
                default: UNBROKEN,
              },
            },
          },
          annotations: { title: HOSTILE },
        },
        { name: UNBROKEN.slice(0, 200), description: UNBROKEN, inputSchema: { $ref: "#" } },
        ...Array.from({ length: 198 }, (_, at) => ({
          name: `tool_${at}`,
          inputSchema: { type: "object" as const },
        })),
      ],
    }),
  );
  const fresh = await open(
    startFakeRelay({
      descriptor: { mcp: "/mcp", name: "Newcomer", description: "Just arrived." },
      tools: [{ name: "greet", description: "Greets.", inputSchema: { type: "object" } }],
    }),
  );
  const catalog = await open(
    startCatalog(
      parseServeOptions({
        port: 0,
        db: ":memory:",
        refresh: "off",
        logLevel: "silent",
        name: "Example catalog",
        operator: "https://operator.example",
      }),
    ),
  );
  const register = async (url: string): Promise<string> => {
    const answer = await fetch(`${catalog.url}/v1/relays`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url }),
    });
    const { relay, error } = (await answer.json()) as { relay?: { id: string }; error?: string };
    if (relay === undefined) throw new Error(`${url} is not listed: ${error}`);
    return relay.id;
  };
  const [weather = ""] = await Promise.all(farm.urls.map(register));
  const ids = {
    weather,
    sdk: await register(`${sdk.url}/mcp`),
    down: await register(down.url),
    gated: await register(gated.url),
    hostile: await register(hostile.url),
  };
  await down.close();
  await fetch(`${catalog.url}/v1/relays/${ids.down}/refresh`, { method: "POST" });
  return {
    url: catalog.url,
    ids,
    fresh,
    async [Symbol.asyncDispose]() {
      for (const one of opened.reverse()) await one[Symbol.asyncDispose]();
    },
  };
}
