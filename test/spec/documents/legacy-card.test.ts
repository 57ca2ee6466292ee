/** Cards of older drafts: the four shapes that are in the field, in the shape of today, never conformant (discovery.md, case 12). */
import { describe, expect, it } from "vitest";
import {
  type JsonValue,
  readServerCard,
  SERVER_CARD_SCHEMA,
  type ServerCardShape,
} from "../../../src/spec/index.ts";
import { verifies } from "../../requirements.ts";

const url = "https://weather.example.com/.well-known/mcp/server-card.json";
const remote = { type: "streamable-http", url: "https://weather.example.com/mcp" };

const shapes: readonly [ServerCardShape, JsonValue, object][] = [
  [
    "sep-1649",
    {
      $schema: "https://static.modelcontextprotocol.io/schemas/mcp-server-card/v1.json",
      version: "1.0",
      protocolVersion: "2025-06-18",
      serverInfo: { name: "weather", title: "Weather", version: "2.3.1" },
      description: "Forecasts",
      iconUrl: "https://weather.example.com/icon.png",
      documentationUrl: "https://weather.example.com/docs",
      transport: { type: "streamable-http", endpoint: "/mcp" },
      capabilities: { tools: {} },
      tools: ["dynamic"],
    },
    {
      name: "weather",
      title: "Weather",
      version: "2.3.1",
      description: "Forecasts",
      websiteUrl: "https://weather.example.com/docs",
      icons: [{ src: "https://weather.example.com/icon.png" }],
      remotes: [{ ...remote, supportedProtocolVersions: ["2025-06-18"] }],
    },
  ],
  [
    "snake-case",
    {
      server_info: { name: "weather", version: "2.3.1" },
      protocol_version: "2025-03-26",
      description: "Forecasts",
      website_url: "https://weather.example.com",
      transport: { type: "streamable_http", url: "https://weather.example.com/mcp" },
    },
    {
      name: "weather",
      version: "2.3.1",
      description: "Forecasts",
      websiteUrl: "https://weather.example.com",
      remotes: [{ ...remote, supportedProtocolVersions: ["2025-03-26"] }],
    },
  ],
  [
    "endpoint",
    {
      name: "Weather",
      version: "2.3.1",
      description: "Forecasts",
      endpoint: "/mcp",
      transport: "http",
      authentication: { required: true },
    },
    { name: "Weather", version: "2.3.1", description: "Forecasts", remotes: [remote] },
  ],
  [
    "registry",
    {
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json",
      name: "com.example/weather",
      version: "2.3.1",
      description: "Forecasts",
      remotes: [remote],
      packages: [{ registryType: "npm", identifier: "@example/weather" }],
    },
    { name: "com.example/weather", version: "2.3.1", description: "Forecasts", remotes: [remote] },
  ],
];

describe("a card of an older draft", () => {
  it.each(shapes)(
    "in the shape %s is usable, and not conformant",
    verifies("card.legacy"),
    (shape, document, card) => {
      const reading = readServerCard(document, { url });
      expect(reading).toMatchObject({
        shape,
        conformant: false,
        usable: true,
        value: { $schema: SERVER_CARD_SCHEMA, ...card },
      });
      expect(reading.value).not.toHaveProperty("tools");
      expect(reading.value).not.toHaveProperty("capabilities");
      expect(reading.diagnostics).toMatchObject([{ code: "legacy-shape" }]);
    },
  );

  it("may name several endpoints; what is not over HTTP is left out", () => {
    const { value } = readServerCard(
      {
        serverInfo: { name: "w", version: "1" },
        transports: [
          { type: "stdio", url: "x" },
          { type: "sse", url: "/sse" },
          { type: "streamableHttp", endpoint: "/mcp" },
        ],
      },
      { url },
    );
    expect(value?.remotes).toEqual([{ type: "sse", url: "https://weather.example.com/sse" }, remote]);
    const named = readServerCard(
      { name: "w", endpoints: { mcp: "/mcp", sse: "/sse", docs: "/docs" } },
      { url },
    );
    expect(named.value?.remotes).toEqual([remote, { type: "sse", url: "https://weather.example.com/sse" }]);
  });

  it("with a credential in its endpoint gives none away", () => {
    const { value, diagnostics } = readServerCard(
      { name: "w", endpoint: "https://me:hunter22@example.com/mcp" },
      { url },
    );
    expect(value?.remotes).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      "legacy-shape",
      "credential-in-url",
      "remote-dropped",
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain("hunter22");
  });

  it("that has the v1 schema and older members beside it is v1", () => {
    const card = {
      $schema: SERVER_CARD_SCHEMA,
      name: "a.b/c",
      version: "1",
      description: "d",
      remotes: [remote],
      serverInfo: { name: "other" },
    };
    expect(readServerCard(card)).toMatchObject({
      shape: "v1",
      conformant: true,
      diagnostics: [{ code: "runtime-member" }],
    });
  });
});
