/** server.json and pages of the registry, in the shape of today and the one of 2025. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readRegistryPage, readRegistryServer } from "../../../src/spec/index.ts";
import { verifies } from "../../requirements.ts";

const server = {
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: "io.github.example/weather",
  description: "Forecasts",
  version: "2.0.0",
  remotes: [
    {
      type: "streamable-http",
      url: "https://mcp.example.com/mcp",
      headers: [{ name: "Authorization", isSecret: true }],
    },
  ],
};
const official = {
  status: "active",
  isLatest: true,
  publishedAt: "2026-05-01T00:00:00Z",
  updatedAt: "2026-05-20T00:00:00Z",
};

describe("an entry of the registry", () => {
  it("is a server and what the registry says of it", verifies("documents.registry"), () => {
    const entry = { server, _meta: { "io.modelcontextprotocol.registry/official": official } };
    expect(readRegistryServer(JSON.stringify(entry))).toEqual({
      conformant: true,
      usable: true,
      diagnostics: [],
      value: { server, standing: official, learnedFrom: null, shape: "current" },
    });
    expect(readRegistryServer(server).value?.standing).toEqual({
      status: null,
      isLatest: null,
      publishedAt: null,
      updatedAt: null,
    });
  });

  it("of 2025 is brought into the shape of today", () => {
    const old = {
      id: "4e9cf4cf",
      name: "io.github.example/weather",
      description: "Forecasts",
      version_detail: { version: "0.0.1-seed", release_date: "2025-05-16T18:56:49Z", is_latest: true },
      packages: [{ registry_name: "npm" }],
      remotes: [
        {
          transport_type: "sse",
          url: "https://mcp.example.com/sse",
          headers: [{ name: "X-Key", is_required: true, is_secret: true }],
        },
      ],
    };
    const { value, conformant, usable } = readRegistryServer(old);
    expect({ conformant, usable }).toEqual({ conformant: false, usable: true });
    expect(value).toMatchObject({
      shape: "old",
      standing: { status: null, isLatest: true, publishedAt: "2025-05-16T18:56:49Z" },
      server: {
        version: "0.0.1-seed",
        packages: old.packages,
        remotes: [
          {
            type: "sse",
            url: "https://mcp.example.com/sse",
            headers: [{ name: "X-Key", isRequired: true, isSecret: true }],
          },
        ],
      },
    });
    expect(value?.server).not.toHaveProperty("version_detail");
  });

  it("with faults is told of and kept, as far as it can be used", () => {
    const reading = readRegistryServer({
      ...server,
      version: "latest",
      remotes: [
        ...server.remotes,
        { type: "stdio", url: "x" },
        { type: "sse", url: "https://t:pw@h.example/" },
      ],
    });
    expect(reading.usable).toBe(true);
    expect(reading.value?.server.remotes).toEqual(server.remotes);
    expect(reading.diagnostics.map(({ code }) => code)).toEqual(
      expect.arrayContaining([
        "version-range",
        "unknown-value",
        "wrong-format",
        "credential-in-url",
        "remote-dropped",
      ]),
    );
  });
});

describe("a page", () => {
  it("has its entries and its cursor, in both spellings; good ones are kept", () => {
    const page = {
      servers: [{ server }, null, { server: {} }, server],
      metadata: { nextCursor: "abc", count: 4 },
    };
    expect(readRegistryPage(page)).toMatchObject({
      usable: true,
      conformant: false,
      value: { total: 4, nextCursor: "abc", entries: [{ server }, { server }] },
    });
    expect(readRegistryPage({ servers: [], metadata: { next_cursor: "x" } }).value).toEqual({
      entries: [],
      nextCursor: "x",
      total: 0,
    });
    expect(readRegistryPage({ servers: [], metadata: { nextCursor: "" } }).value?.nextCursor).toBeNull();
    expect(readRegistryPage([server]).value?.entries).toHaveLength(1);
    expect(readRegistryPage('{"error":"x"}')).toMatchObject({ usable: false, value: null });
  });

  const seed = "../shared/data/registry/seed_2025_05_16.json";
  it.runIf(existsSync(seed))("of the 2025 seed is read whole but for its empty entries", () => {
    const { value } = readRegistryPage(readFileSync(seed, "utf8"));
    expect(value?.total).toBe(471);
    expect(value?.entries).toHaveLength(464);
  });
});
