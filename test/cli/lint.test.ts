/** `openmcp lint`: files, standard input and URLs, with places, cures and exit codes for CI. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SERVER_CARD_SCHEMA, SERVER_CARD_TYPE } from "../../src/spec/index.ts";
import { startSite } from "../discovery/site.ts";
import { verifies } from "../requirements.ts";
import { runCli } from "./run-cli.ts";

const card = {
  $schema: SERVER_CARD_SCHEMA,
  name: "com.example/weather",
  version: "1.4.2",
  description: "Forecasts",
  remotes: [{ type: "streamable-http", url: "https://weather.example.com/mcp" }],
};
const leaky = `{
  "$schema": "${SERVER_CARD_SCHEMA}",
  "name": "com.example/weather",
  "version": "^1",
  "description": "Forecasts",
  "remotes": [
    { "type": "streamable-http", "url": "https://me:hunter22@example.com/mcp" }
  ]
}`;

let folder = "";
const server = createServer((request, response) => {
  const path = request.url ?? "";
  if (path === "/gone") response.writeHead(404).end();
  else if (path === "/guarded") response.writeHead(401).end();
  else if (path === "/broken") response.writeHead(503).end();
  else if (path === "/page") response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
  else if (path === "/moved") response.writeHead(302, { location: "/mcp/server-card" }).end();
  else if (path === "/plain")
    response.writeHead(200, { "content-type": "text/plain" }).end(JSON.stringify(card));
  else response.writeHead(200, { "content-type": SERVER_CARD_TYPE }).end(JSON.stringify(card));
});
let origin = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-lint-"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

it("tells a kind of finding once, with its count and lines; JSON has each", async () => {
  const entries = Array.from({ length: 12 }, (_, at) => ({
    identifier: `urn:air:fleet.dev:s${at}`,
    type: SERVER_CARD_TYPE,
    url: `http://127.0.0.1:1/${at}.json`,
  }));
  const text = `{"specVersion": "1.0", "entries": [\n${entries.map((entry) => JSON.stringify(entry)).join(",\n")}\n]}`;
  const path = await file("many.json", text);
  const { stdout } = await runCli(["lint", path]);
  expect(stdout.match(/\[private-address\]/g)).toHaveLength(1);
  expect(stdout).toContain("[private-address] and 11 more of its kind, in lines 3, 4, 5, 6, 7, 8, 9, 10, …");
  expect(stdout).toMatch(/; 12 errors, \d+ warnings?/);
  const [document] = JSON.parse((await runCli(["lint", path, "--json"])).stdout).documents;
  const told = document.diagnostics.filter(({ code }: { code: string }) => code === "private-address");
  expect(told).toHaveLength(12);
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

it(
  "says where what is wrong stands, and the cure, and repeats no secret",
  verifies("documents.lint"),
  async () => {
    const path = await file("leaky.json", leaky);
    const { code, stdout, stderr } = await runCli(["lint", path]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toContain(`${path}  Server Card\n`);
    expect(stdout).toContain("✗ 4:3 /version [version-range]\n");
    expect(stdout).toContain("✗ 7:34 /remotes/0/url [credential-in-url]\n");
    expect(stdout).toContain("→ Give the version of the server that runs");
    expect(stdout).toContain("✗ not conformant, usable; 2 errors, 1 warning");
    expect(stdout).not.toContain("hunter22");
  },
);

it("answers machines, for several documents at once", async () => {
  const good = await file("good.json", JSON.stringify(card));
  const { code, stdout } = await runCli(["lint", good, "-", "--json"], {
    stdin: '{"specVersion":"1.0","entries":[null]}',
  });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    documents: [
      {
        document: good,
        kind: "server-card",
        conformant: true,
        usable: true,
        errors: 0,
        warnings: 0,
        diagnostics: [],
      },
      {
        document: "-",
        kind: "ai-catalog",
        conformant: false,
        usable: true,
        errors: 1,
        warnings: 1,
        diagnostics: [
          expect.objectContaining({
            code: "null-value",
            pointer: "/entries/0",
            line: 1,
            column: 33,
            cure: "Leave the member out",
          }),
          expect.objectContaining({ code: "entry-dropped" }),
        ],
      },
    ],
  });
});

it("takes warnings for errors with --strict only", async () => {
  const path = await file(
    "http.json",
    JSON.stringify({ ...card, remotes: [{ type: "sse", url: "http://example.com/sse" }] }),
  );
  expect((await runCli(["lint", path])).code).toBe(0);
  expect((await runCli(["lint", path, "--strict"])).code).toBe(1);
});

it("resolves what is relative on the URL that is named", async () => {
  const path = await file(
    "catalog.json",
    JSON.stringify({
      specVersion: "1.0",
      entries: [{ identifier: "urn:a:b", type: SERVER_CARD_TYPE, url: "/mcp/server-card" }],
    }),
  );
  expect((await runCli(["lint", path])).stdout).toContain("[relative-url]");
  expect(
    (await runCli(["lint", path, "--at", "https://example.com/.well-known/ai-catalog.json", "--strict"]))
      .code,
  ).toBe(0);
});

it("reads a URL as it is served", async () => {
  expect(await runCli(["lint", `${origin}/mcp/server-card`, `${origin}/moved`, "--strict"])).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(await runCli(["lint", `${origin}/plain`, "--strict"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("served as text/plain"),
  });
  expect(await runCli(["lint", `${origin}/page`])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("HTML page"),
  });
});

it.each([
  ["/gone", 5],
  ["/guarded", 4],
  ["/broken", 6],
])("ends for %s with %i", async (path, code) => {
  expect(await runCli(["lint", `${origin}${path}`])).toMatchObject({ code, stdout: "" });
});

it("calls no private network that was not named", async () => {
  expect(await runCli(["lint", "http://10.255.255.1/card"])).toMatchObject({
    code: 6,
    stderr: expect.stringContaining("10.255.255.1"),
  });
});

it.each([
  [404, 5, "answered 404."],
  [401, 4, "answered 401: a document must be readable without a credential."],
])("says what is wrong with a URL that answers %i, and nothing of relays", async (status, code, said) => {
  await using site = await startSite({ "/card": { status } });
  const { stderr, ...ended } = await runCli(["lint", `${site.origin}/card`]);
  expect(ended).toEqual({ code, stdout: "" });
  expect(stderr).toBe(`✗ ${site.origin}/card ${said}\n`);
});

it("leads from a site's root that is no document to the command that reads sites", async () => {
  await using site = await startSite({ "/": { status: 404 } });
  const { code, stderr } = await runCli(["lint", site.origin]);
  expect([code, stderr]).toEqual([5, expect.stringContaining("`openmcp discover` reads")]);
});

it("refuses what is no file, and tells of what is no text", async () => {
  expect(await runCli(["lint", join(folder, "none.json")])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is no file"),
  });
  expect(await runCli(["lint", folder])).toMatchObject({ code: 2 });
  expect(await runCli(["lint"])).toMatchObject({ code: 2 });
  const bytes = await file("latin1.json", Buffer.from('{"mcp":"/\xe4"}', "latin1"));
  expect(await runCli(["lint", bytes])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("[not-utf-8]"),
  });
  expect(await runCli(["lint", await file("empty.json", "")])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("[not-json]"),
  });
});

it("prints nothing that a terminal acts on", async () => {
  const path = await file(
    "hostile.json",
    JSON.stringify({ ...card, name: "\u001b]0;owned\u0007\u202e", "\u001b[2J": 1 }),
  );
  const { stdout } = await runCli(["lint", path]);
  expect(stdout).toContain("[wrong-format]");
  expect([...stdout].filter((char) => char === "\u001b" || char === "\u202e")).toEqual([]);
});
