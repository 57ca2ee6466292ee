/** The receiver's side: what is verified, what is handed on, and what the catalog is answered. */
import { describe, expect, it } from "vitest";
import { readDelivery, type WebhookHandlerOptions, webhookHandler } from "../../src/client/index.ts";
import { type DeliveryBody, sign } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";

const SECRET = "correct horse";
const NOW = Date.UTC(2026, 8, 12, 18);

function bodyOf(changes: Partial<DeliveryBody> = {}): string {
  return JSON.stringify({
    id: "d1",
    event: "relay.offline",
    at: new Date(NOW).toISOString(),
    catalog: "https://catalog.example",
    relay: { id: "a.example" },
    ...changes,
  });
}

async function posted(
  body: string | Uint8Array,
  options: {
    readonly secret?: string;
    readonly headers?: Record<string, string>;
    readonly method?: string;
  } = {},
): Promise<Request> {
  const { secret = SECRET, headers = {}, method = "POST" } = options;
  return new Request("http://here.example/hook", {
    method,
    headers: { "x-openmcp-signature": await sign(secret, body), ...headers },
    ...(method === "GET" ? {} : { body: Buffer.from(body) }),
  });
}

function receiver(options: Partial<WebhookHandlerOptions> = {}) {
  const handed: DeliveryBody[] = [];
  const errors: unknown[] = [];
  const handle = webhookHandler({
    secret: SECRET,
    onDelivery: (delivery) => void handed.push(delivery),
    onError: (error) => void errors.push(error),
    now: () => NOW,
    ...options,
  });
  return { handle, handed, errors };
}

describe("a receiver", () => {
  it("hands on what is signed, and answers 200", verifies("webhook.verify-raw"), async () => {
    const { handle, handed } = receiver();
    const response = await handle(await posted(bodyOf()));
    expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
    expect(handed).toEqual([JSON.parse(bodyOf())]);
  });

  it("takes the raw bytes, in whatever spelling they come", verifies("webhook.verify-raw"), async () => {
    const { handle, handed } = receiver();
    const spaced = `\n${JSON.stringify(JSON.parse(bodyOf({ id: "ü\u2028" })), null, 3)}\n`;
    expect((await handle(await posted(spaced))).status).toBe(200);
    expect(handed[0]?.id).toBe("ü\u2028");
    // The same value in another spelling is another body.
    const request = await posted(spaced);
    const again = new Request(request.url, {
      method: "POST",
      headers: request.headers,
      body: JSON.stringify(JSON.parse(spaced)),
    });
    expect((await handle(again)).status).toBe(401);
  });

  it("refuses what is not signed with its secret, and looks at nothing in it", async () => {
    const { handle, handed, errors } = receiver();
    const wrong = [
      await posted(bodyOf(), { secret: "another" }),
      await posted(bodyOf(), { headers: { "x-openmcp-signature": "" } }),
      await posted(bodyOf(), { headers: { "x-openmcp-signature": "sha256=zz" } }),
      await posted("not json at all", { secret: "another" }),
      new Request("http://here.example/", { method: "POST", body: bodyOf() }),
    ];
    for (const request of wrong) expect((await handle(request)).status).toBe(401);
    expect(handed).toEqual([]);
    expect(errors).toHaveLength(5);
    expect(JSON.stringify(errors)).not.toContain(SECRET);
  });

  it("knows old and new secret while one is changed for the other", async () => {
    const { handle, handed } = receiver({ secret: ["new", SECRET] });
    expect((await handle(await posted(bodyOf()))).status).toBe(200);
    expect((await handle(await posted(bodyOf({ id: "d2" }), { secret: "new" }))).status).toBe(200);
    expect((await handle(await posted(bodyOf({ id: "d3" }), { secret: "newer" }))).status).toBe(401);
    expect(handed).toHaveLength(2);
  });

  it("refuses what is signed and no delivery", async () => {
    const { handle, handed } = receiver();
    for (const body of [
      "",
      "null",
      "[]",
      "{}",
      '{"id":1,"event":"x","at":"y"}',
      bodyOf({ at: "yesterday" }),
      "[".repeat(500),
    ]) {
      expect([body.slice(0, 20), (await handle(await posted(body))).status]).toEqual([
        body.slice(0, 20),
        400,
      ]);
    }
    expect(handed).toEqual([]);
  });

  it("refuses what is too old or not yet, by a window that can be set", async () => {
    const hours = (count: number) => bodyOf({ at: new Date(NOW - count * 3_600_000).toISOString() });
    const { handle } = receiver();
    expect((await handle(await posted(hours(23)))).status).toBe(200);
    expect((await handle(await posted(hours(25)))).status).toBe(400);
    expect((await handle(await posted(hours(-1)))).status).toBe(400);
    expect((await handle(await posted(hours(-0.05)))).status).toBe(200);
    const strict = receiver({ maxAgeMs: 60_000 });
    expect((await strict.handle(await posted(hours(0.5)))).status).toBe(400);
    const patient = receiver({ maxAgeMs: Number.POSITIVE_INFINITY });
    expect((await patient.handle(await posted(hours(100_000)))).status).toBe(200);
  });

  it("hands one delivery on once, also when both attempts come together", async () => {
    const gate = Promise.withResolvers<void>();
    let calls = 0;
    const { handle } = receiver({
      async onDelivery() {
        calls += 1;
        await gate.promise;
      },
    });
    const both = [handle(await posted(bodyOf())), handle(await posted(bodyOf()))];
    gate.resolve();
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    const third = await handle(await posted(bodyOf()));
    expect(await third.json()).toEqual({ ok: true, repeated: true });
    expect(calls).toBe(1);
    const all = receiver({ seen: false });
    await all.handle(await posted(bodyOf()));
    await all.handle(await posted(bodyOf()));
    expect(all.handed).toHaveLength(2);
  });

  it("has the catalog try again what could not be dealt with, and forgets that it came", async () => {
    let works = false;
    const kept = new Set<string>();
    const { handle, errors } = receiver({
      onDelivery() {
        if (!works) throw new Error("the database is down");
      },
      seen: { has: (id) => kept.has(id), add: (id) => void kept.add(id) },
    });
    const failed = await handle(await posted(bodyOf()));
    expect(failed.status).toBe(500);
    expect(await failed.text()).not.toContain("database");
    expect(errors).toMatchObject([{ message: "the database is down" }]);
    works = true;
    expect((await handle(await posted(bodyOf()))).status).toBe(200);
    expect([...kept]).toEqual(["d1"]);
  });

  it("takes posts only, and no endless body", async () => {
    const { handle } = receiver({ maxBodyBytes: 100 });
    const get = await handle(await posted("", { method: "GET" }));
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await handle(await posted("x".repeat(101)))).status).toBe(413);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 60;
        controller.enqueue(new Uint8Array(60));
      },
    });
    const request = new Request("http://here.example/", {
      method: "POST",
      body: endless,
      duplex: "half",
    } as RequestInit);
    expect((await handle(request)).status).toBe(413);
    expect(sent).toBeLessThan(1_000);
  });

  it("is a function of its own for who has another server", async () => {
    const body = bodyOf();
    const signature = await sign(SECRET, body);
    const options = { secret: SECRET, signature, now: NOW };
    expect(await readDelivery(body, options)).toEqual(JSON.parse(body));
    expect(await readDelivery(Buffer.from(body), options)).toEqual(JSON.parse(body));
    await expect(readDelivery(`${body} `, options)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(readDelivery(body, { ...options, now: NOW + 2 * 86_400_000 })).rejects.toMatchObject({
      code: "invalid-input",
      data: { field: "at" },
    });
  });
});
