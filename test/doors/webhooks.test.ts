/** Subscriptions through the doors: wire.md's answers, over REST and over MCP. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CatalogClient } from "../../src/client/index.ts";
import { eventNames } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { json } from "./catalog-fixture.ts";
import { type McpFixture, openMcp } from "./mcp-fixture.ts";
import { expectProblem, openRest, type RestFixture } from "./rest-fixture.ts";

const URL_OF_A_RECEIVER = "https://you.example/hook";

describe("REST", () => {
  let rest: RestFixture;
  beforeEach(async () => {
    rest = await openRest();
  });
  afterEach(() => rest[Symbol.asyncDispose]());

  async function subscribed(body: object = {}) {
    const response = await rest.send("POST", "/v1/webhooks", { url: URL_OF_A_RECEIVER, ...body });
    expect(response.status).toBe(201);
    return { response, ...(await json(response)) };
  }

  it(
    "subscribes, shows without the secret, and removes",
    verifies("rest.webhooks", "webhook.handle"),
    async () => {
      const { response, ok, webhook, secret, note } = await subscribed({
        events: ["relay.offline"],
        relays: ["a.example"],
      });
      expect(webhook).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: URL_OF_A_RECEIVER,
        events: ["relay.offline"],
        relays: ["a.example"],
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        failures: 0,
        active: true,
        reason: null,
      });
      expect([ok, note]).toEqual([true, expect.stringContaining("once")]);
      expect(response.headers.get("location")).toMatch(new RegExp(`/v1/webhooks/${webhook.id}$`));
      const path = `/v1/webhooks/${webhook.id}`;
      const shown = await rest.send("GET", path);
      const text = await shown.text();
      expect(JSON.parse(text)).toEqual({ ok: true, webhook, deliveries: [] });
      expect(text).not.toContain(secret);
      expect(JSON.stringify(rest.catalog.log)).not.toContain(secret);
      const removed = await rest.send("DELETE", path);
      expect([removed.status, await removed.json()]).toEqual([200, { ok: true }]);
      await expectProblem(await rest.send("GET", path), "not-found", 404);
      await expectProblem(await rest.send("DELETE", path), "not-found", 404);
    },
  );

  it("takes all events and relays, and makes a secret, unless told", async () => {
    const { webhook, secret } = await subscribed();
    expect([webhook.events, webhook.relays]).toEqual([eventNames, null]);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect((await subscribed({ secret: "mine" })).secret).toBe("mine");
  });

  it("answers 400 that names the field", verifies("rest.webhooks", "webhook.https"), async () => {
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{}, /^url$/],
      [{ url: "http://you.example/" }, /^url$/],
      [{ url: URL_OF_A_RECEIVER, events: ["relay.exploded"] }, /^events/],
      // Who names nothing of a kind means nothing, or forgot: all is said by leaving it out.
      [{ url: URL_OF_A_RECEIVER, events: [] }, /^events$/],
      [{ url: URL_OF_A_RECEIVER, relays: [] }, /^relays$/],
      [{ url: URL_OF_A_RECEIVER, relays: "a" }, /^relays$/],
      [{ url: URL_OF_A_RECEIVER, secret: 7 }, /^secret$/],
    ];
    for (const [body, field] of wrong) {
      const problem = await expectProblem(
        await rest.send("POST", "/v1/webhooks", body),
        "invalid-input",
        400,
      );
      expect(problem.field).toMatch(field);
    }
  });

  it("queues a test, and a delivery once more, with 202", verifies("rest.webhook-test"), async () => {
    const { webhook } = await subscribed();
    const tested = await rest.send("POST", `/v1/webhooks/${webhook.id}/test`);
    expect(tested.status).toBe(202);
    const { ok, delivery } = await json(tested);
    expect([ok, delivery]).toEqual([true, expect.any(String)]);
    const { deliveries } = await json(rest.send("GET", `/v1/webhooks/${webhook.id}`));
    expect(deliveries).toEqual([
      {
        id: delivery,
        event: "webhook.test",
        relay: null,
        at: expect.any(String),
        state: "waiting",
        status: null,
        error: null,
        attempts: 0,
      },
    ]);
    const again = `/v1/webhooks/${webhook.id}/deliveries/${delivery}/redeliver`;
    const redelivered = await rest.send("POST", again);
    expect([redelivered.status, await redelivered.json()]).toEqual([202, { ok: true, delivery }]);
    await expectProblem(await rest.send("POST", again.replace(delivery, "none")), "not-found", 404);
    await expectProblem(await rest.send("POST", "/v1/webhooks/none/test"), "not-found", 404);
  });
});

describe("MCP", () => {
  let mcp: McpFixture;
  beforeEach(async () => {
    mcp = await openMcp();
  });
  afterEach(() => mcp[Symbol.asyncDispose]());

  it("subscribes and unsubscribes as REST does", verifies("mcp.subscribe", "mcp.same-answers"), async () => {
    await using agent = new CatalogClient(mcp.url, { transport: "mcp" });
    await using rest = new CatalogClient(mcp.url);
    const { webhook, secret } = await agent.subscribe({ url: URL_OF_A_RECEIVER, relays: ["a.example"] });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect((await rest.webhook(webhook.id)).webhook).toEqual(webhook);
    expect(await agent.unsubscribe(webhook.id)).toEqual({ removed: true });
    await expect(rest.webhook(webhook.id)).rejects.toMatchObject({ code: "not-found" });
    await expect(agent.unsubscribe(webhook.id)).rejects.toMatchObject({ code: "not-found" });
    await expect(agent.subscribe({ url: "http://you.example/" })).rejects.toMatchObject({
      code: "invalid-input",
    });
    for (const asked of [
      agent.webhook("x"),
      agent.testWebhook("x"),
      agent.redeliver({ id: "x", delivery: "y" }),
    ]) {
      await expect(asked).rejects.toMatchObject({ code: "unsupported-transport" });
    }
    const queued = await rest.testWebhook((await rest.subscribe({ url: URL_OF_A_RECEIVER })).webhook.id);
    expect(queued.delivery).toEqual(expect.any(String));
  });
});
