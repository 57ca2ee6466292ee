/**
 * A caller's credential for a relay goes to that relay and nowhere else: not into the database, a log line or an answer,
 * whichever door it came through and however the call ended.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { createLog, parseServeOptions, startCatalog } from "../../src/server/index.ts";
import { type FakeRelayOptions, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";

const TOKEN = "tok-5ecret-4f9a";
const ADMIN = "admin-5ecret-77";

const endings: readonly [string, FakeRelayOptions][] = [
  ["well", {}],
  ["refused", { token: "another" }],
  ["as an error of the tool", { onCall: () => ({ isError: true, content: [{ type: "text", text: "no" }] }) }],
  ["by a cut connection", { intercept: (_, response) => Boolean(response.destroy()) }],
  ["as HTML", { intercept: (_, response) => Boolean(response.writeHead(500).end("<h1>no</h1>")) }],
];

it(
  "a token is passed on, and kept nowhere",
  verifies("call.token-unkept", "catalog.no-credentials"),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "openmcp-secrets-"));
    const lines: string[] = [];
    const answers: string[] = [];
    try {
      const log = createLog({ level: "debug", human: false, write: (line) => void lines.push(line) });
      const options = parseServeOptions({
        port: 0,
        db: join(folder, "catalog.db"),
        refresh: "off",
        adminToken: ADMIN,
      });
      {
        await using catalog = await startCatalog(options, { log });
        await using relay = await startFakeRelay();
        const registered = await post(`${catalog.url}/v1/relays`, { url: relay.url });
        const { relay: record } = JSON.parse(registered) as { relay: { id: string } };
        const at = `${catalog.url}/v1/relays/${record.id}`;
        const agent = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
        await agent.connect(new StreamableHTTPClientTransport(new URL(`${catalog.url}/mcp`)));
        for (const [, script] of endings) {
          relay.update({ token: undefined, onCall: undefined, intercept: undefined, ...script });
          const call = { tool: "echo", arguments: { text: "hi" } };
          const header = { "x-relay-authorization": `Bearer ${TOKEN}` };
          answers.push(await post(`${at}/call`, { ...call, token: TOKEN }));
          answers.push(await post(`${at}/call`, call, header));
          answers.push(await post(`${at}/tools/echo`, { text: "hi" }, header));
          const result = await agent.callTool({
            name: "call_tool",
            arguments: { relay: record.id, ...call, token: TOKEN },
          });
          answers.push(JSON.stringify(result));
        }
        await agent.close();
        const calls = relay.requests.filter((seen) => seen.body.includes("tools/call"));
        expect(calls.length).toBeGreaterThanOrEqual(endings.length * 4);
        expect(new Set(calls.map((seen) => seen.headers.authorization))).toEqual(
          new Set([`Bearer ${TOKEN}`]),
        );
        expect(relay.requests.filter((seen) => seen.body.includes(TOKEN))).toEqual([]);
        const removed = await fetch(at, { method: "DELETE", headers: { authorization: `Bearer ${ADMIN}` } });
        expect(removed.status).toBe(200);
        await removed.body?.cancel();
      }
      const files = await Promise.all(
        (await readdir(folder)).map((name) => readFile(join(folder, name), "latin1")),
      );
      expect(files.length).toBeGreaterThan(0);
      expect(lines.length).toBeGreaterThan(endings.length);
      for (const secret of [TOKEN, ADMIN]) {
        expect(files.filter((text) => text.includes(secret))).toEqual([]);
        expect(lines.filter((line) => line.includes(secret))).toEqual([]);
        expect(answers.filter((answer) => answer.includes(secret))).toEqual([]);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return response.text();
}
