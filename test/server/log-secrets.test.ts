/** What a real process writes to its log at its most talkative: no credential, no argument, no question, no id that is a secret. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, vi } from "vitest";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { startCatalogProcess } from "./catalog-process.ts";

const planted = {
  admin: "admin-5ecret-1",
  relayToken: "relay-5ecret-2",
  headerToken: "header-5ecret-3",
  argument: "argument-5ecret-4",
  question: "question5ecret5",
  webhookSecret: "webhook-5ecret-6",
  webhookPath: "path-5ecret-7",
  query: "query-5ecret-8",
  path: "unknown-5ecret-9",
  body: "body-5ecret-10",
};

it(
  "the log of a catalog that is asked everything holds none of what was planted",
  verifies("operate.log-secrets"),
  async () => {
    vi.stubEnv("OPENMCP_ADMIN_TOKEN", planted.admin);
    const receiver = createServer((_, response) => response.writeHead(500).end("no")).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const port = (receiver.address() as AddressInfo).port;
    try {
      await using relay = await startFakeRelay();
      await using catalog = await startCatalogProcess([
        "--db",
        ":memory:",
        "--log-level",
        "debug",
        "--refresh",
        "off",
        "--peer-sync",
        "off",
      ]);
      const { url } = catalog;
      const registered = await ask(`${url}/v1/relays?key=${planted.query}`, {
        url: `${relay.url}?key=${planted.query}`,
      });
      const listed = (await (await fetch(`${url}/v1/relays`)).json()) as { relays: { id: string }[] };
      const id = listed.relays[0]?.id ?? "none";
      expect(registered.status).toBe(201);
      const webhook = await ask(`${url}/v1/webhooks`, {
        url: `http://127.0.0.1:${port}/${planted.webhookPath}?token=${planted.query}`,
        secret: planted.webhookSecret.padEnd(32, "x"),
      });
      const { webhook: subscription } = (await webhook.json()) as { webhook: { id: string } };
      await ask(`${url}/v1/webhooks/${subscription.id}/test`, {});
      const header = { "x-relay-authorization": `Bearer ${planted.headerToken}` };
      const call = { tool: "echo", arguments: { text: planted.argument } };
      expect((await ask(`${url}/v1/relays/${id}/call`, { ...call, token: planted.relayToken })).status).toBe(
        200,
      );
      expect((await ask(`${url}/v1/relays/${id}/call`, call, header)).status).toBe(200);
      relay.update({
        onCall: () => ({ isError: true, content: [{ type: "text", text: planted.argument }] }),
      });
      await ask(`${url}/v1/relays/${id}/tools/echo`, call.arguments, header);
      relay.update({ intercept: (_, response) => Boolean(response.destroy()) });
      await ask(`${url}/v1/relays/${id}/call`, { ...call, token: planted.relayToken });
      await ask(`${url}/v1/relays/${id}/refresh`, {});
      await ask(`${url}/v1/relays`, planted.body);
      for (const message of [
        { jsonrpc: "2.0", id: 9, result: { text: planted.body } },
        { jsonrpc: "2.0", method: planted.body, params: { text: planted.argument } },
        { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: 5, arguments: planted.argument } },
        { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: planted.body, arguments: {} } },
        {
          jsonrpc: "2.0",
          id: 3,
          method: "tools/call",
          params: { name: "call_tool", arguments: { relay: id, ...call, token: planted.relayToken } },
        },
        [{ text: planted.body }],
        { text: planted.body },
      ]) {
        await ask(`${url}/mcp`, message, {
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-11-25",
        });
      }
      await ask(`${url}/v1/relays`, { url: `http://${planted.query}:x@127.0.0.1/` });
      await read(`${url}/v1/tools?q=${planted.question}`);
      await read(`${url}/${planted.path}/${planted.path}?q=${planted.query}`);
      await read(`${url}/v1/webhooks/${subscription.id}`);
      await read(`${url}/v1/webhooks/${planted.path}`);
      for (const part of ["", "/tools", "/history", "/badge.svg", "/openapi.json"]) {
        await read(`${url}/v1/relays/${planted.path}${part}`);
      }
      await read(`${url}/v1/relays/${planted.path}`, { method: "DELETE" });
      await ask(`${url}/v1/relays/${planted.path}/refresh`, {});
      await ask(`${url}/v1/relays/${planted.path}/call`, call);
      await read(`${url}/v1/relays/${id}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${planted.admin}` },
      });
      await read(`${url}/v1/relays/${id}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${planted.path}` },
      });
      await read(`${url}/v1/webhooks/${subscription.id}`, { method: "DELETE" });
      catalog.kill("SIGTERM");
      expect(await catalog.ended).toBe(0);
      const log = catalog.output.stderr;
      expect(log.split("\n").filter((line) => line.includes('"request"')).length).toBeGreaterThan(15);
      expect(log).toContain(`"relay":"${id}"`);
      for (const secret of [...Object.values(planted), subscription.id]) {
        expect(log.split("\n").filter((line) => line.includes(secret))).toEqual([]);
      }
    } finally {
      vi.unstubAllEnvs();
      receiver.close();
    }
  },
);

async function read(url: string, init: RequestInit = {}): Promise<void> {
  await (await fetch(url, init)).arrayBuffer();
}

async function ask(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  await response.clone().arrayBuffer();
  return response;
}
