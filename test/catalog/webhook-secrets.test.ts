/** Subscriptions as they are asked for, and secrets: shown once, sealed at rest, never told again. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSecretBox, operations, readInput } from "../../src/catalog/index.ts";
import { judgeReceipt, nextAttempt } from "../../src/catalog/webhooks/attempt.ts";
import { parseReceiverUrl } from "../../src/catalog/webhooks/receiver-url.ts";
import { eventNames } from "../../src/spec/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { verifies } from "../requirements.ts";
import { openWebhooks } from "./webhook-fixture.ts";

const key = (fill: number) => new Uint8Array(32).fill(fill);

describe("the box of secrets", () => {
  it("opens what it sealed, in its own row only, and never seals twice the same way", () => {
    const box = createSecretBox([key(1)]);
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), fc.uuid(), fc.uuid(), (secret, id, other) => {
        const sealed = box.seal(id, secret.toWellFormed());
        expect(sealed).not.toBe(box.seal(id, secret.toWellFormed()));
        expect(box.open(id, sealed)).toBe(secret.toWellFormed());
        expect(box.open(`${other}-`, sealed)).toBeNull();
        expect(box.isCurrent(sealed)).toBe(true);
      }),
    );
  });

  it("opens nothing that was changed, and nothing of another key", () => {
    const sealed = createSecretBox([key(1)]).seal("id", "the secret");
    expect(sealed).not.toContain("the secret");
    expect(createSecretBox([key(2)]).open("id", sealed)).toBeNull();
    expect(createSecretBox([]).open("id", sealed)).toBeNull();
    const at = sealed.lastIndexOf(":") + 1;
    for (let place = at; place < sealed.length - 1; place += 1) {
      const other = sealed[place] === "A" ? "B" : "A";
      const changed = sealed.slice(0, place) + other + sealed.slice(place + 1);
      expect(createSecretBox([key(1)]).open("id", changed)).toBeNull();
    }
    for (const junk of ["", "aes-256-gcm:", "aes-256-gcm:x:y", "secret"]) {
      expect(createSecretBox([key(1)]).open("id", junk)).toBeNull();
    }
  });

  it("takes a new key with the old one behind it", () => {
    const old = createSecretBox([key(1)]);
    const both = createSecretBox([key(2), key(1)]);
    const sealed = old.seal("id", "s");
    expect([both.open("id", sealed), both.isCurrent(sealed)]).toEqual(["s", false]);
    const plain = createSecretBox([]).seal("id", "s");
    expect([both.open("id", plain), both.isCurrent(plain)]).toEqual(["s", false]);
    expect(createSecretBox([key(2)]).open("id", both.seal("id", "s"))).toBe("s");
  });
});

describe("a secret", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "openmcp-secrets-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function onDisk(): Promise<string> {
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), "latin1")),
    );
    return files.join("");
  }

  it(
    "is in the first answer, and then in none, no log and, with a key, not on the disk",
    verifies("webhook.handle", "rest.webhooks"),
    async () => {
      const store = await openSqliteStore({ path: join(folder, "a.db") });
      const sealing = { store, secrets: createSecretBox([key(1)]) };
      {
        await using fixture = await openWebhooks(sealing);
        fixture.start();
        const given = await fixture.subscribe({ secret: "a-secret-of-the-subscriber" });
        const made = await fixture.subscribe();
        expect(given.secret).toBe("a-secret-of-the-subscriber");
        expect(made.secret).toMatch(/^[\w-]{43}$/);
        expect(made.webhook.id).not.toBe(given.webhook.id);
        await fixture.happen("a.example", "relay.registered");
        await fixture.receiver.received(2);
        for (const { webhook, secret } of [given, made]) {
          await fixture.until(webhook.id, ([delivery]) => delivery?.state === "delivered");
          const told = JSON.stringify(await fixture.webhook(webhook.id)) + fixture.log.join();
          expect(told).not.toContain(secret);
        }
        const verdicts = await Promise.all(
          fixture.receiver.all.map(async (received) => [
            await fixture.receiver.verified(received, given.secret),
            await fixture.receiver.verified(received, made.secret),
          ]),
        );
        expect(verdicts.flat().filter(Boolean)).toHaveLength(2);
        await store.close();
        const bytes = await onDisk();
        expect(bytes).toContain(given.webhook.id);
        expect(bytes).not.toContain(given.secret);
        expect(bytes).not.toContain(made.secret);
      }
    },
  );

  it("is sealed at the start that first has a key, and again under the next one", async () => {
    const path = join(folder, "a.db");
    const kept = async (secrets: Parameters<typeof createSecretBox>[0], happens: boolean) => {
      await using store = await openSqliteStore({ path });
      await using fixture = await openWebhooks({ store, secrets: createSecretBox(secrets) });
      fixture.start();
      await fixture.clock.sleeping();
      if (happens) {
        await fixture.happen("a.example", "relay.updated");
        for (let rounds = 0; rounds < 2_000 && fixture.receiver.all.length === 0; rounds += 1) {
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
        }
      }
      const [row] = await store.webhooks.secrets(0, 1);
      return { secret: row?.secret ?? "", came: fixture.receiver.all.length, log: fixture.log.join("\n") };
    };
    {
      await using store = await openSqliteStore({ path });
      await store.webhooks.create({
        id: "w",
        url: "http://127.0.0.1:9/",
        events: eventNames,
        relays: null,
        secret: createSecretBox([]).seal("w", "in clear"),
        now: 0,
      });
    }
    expect((await kept([], false)).secret).toBe("plain:in clear");
    const first = (await kept([key(1)], false)).secret;
    expect(first).toMatch(/^aes-256-gcm:/);
    const second = (await kept([key(2), key(1)], false)).secret;
    expect(createSecretBox([key(2)]).open("w", second)).toBe("in clear");
    // Without its key nothing is sent, nobody is blamed, and the log says what to do.
    const lost = await kept([key(3)], true);
    expect(lost.secret).toBe(second);
    expect(lost.log).toContain("give the key they were sealed with");
    await using store = await openSqliteStore({ path });
    expect(await store.webhooks.get("w")).toMatchObject({ active: true, failures: 0 });
    expect(await store.webhooks.deliveries("w", 1)).toMatchObject([{ state: "waiting", attempts: 0 }]);
  });
});

describe("what is subscribed", () => {
  const field = (input: unknown): unknown => {
    try {
      return readInput(operations.subscribe, input);
    } catch (error) {
      return (error as { data: { field: string } }).data.field;
    }
  };

  it("names the field that is not of its form", verifies("rest.webhooks"), () => {
    const url = "https://you.example/hook";
    expect(field({ url })).toEqual({ url });
    expect(field({})).toBe("url");
    expect(field({ url: 7 })).toBe("url");
    expect(field({ url, events: ["relay.exploded"] })).toMatch(/^events/);
    expect(field({ url, events: "relay.online" })).toBe("events");
    expect(field({ url, events: [] })).toBe("events");
    expect(field({ url, relays: [7] })).toMatch(/^relays/);
    expect(field({ url, secret: "" })).toBe("secret");
    expect(field({ url, secret: "x".repeat(257) })).toBe("secret");
  });

  it("is https, or loopback for a catalog that is there itself", verifies("webhook.https"), async () => {
    const allowed = (url: string, catalog: string) => parseReceiverUrl(url, catalog).ok;
    const here = "http://127.0.0.1:8790";
    const there = "https://catalog.example";
    for (const url of ["http://127.0.0.1:1/", "http://localhost:1/", "http://[::1]:1/", "http://0x7f.1:1/"]) {
      expect([url, allowed(url, here), allowed(url, there)]).toEqual([url, true, false]);
    }
    for (const url of [
      "http://you.example/",
      "http://10.0.0.1/",
      "http://127.0.0.1.example/",
      "ftp://you.example/",
      "you.example",
      "https://a:b@you.example/",
    ]) {
      expect([url, allowed(url, here)]).toEqual([url, false]);
    }
    expect(parseReceiverUrl("https://you.example/hook?x=1#part", there)).toEqual({
      ok: true,
      url: "https://you.example/hook?x=1",
    });
    await using fixture = await openWebhooks();
    await expect(fixture.subscribe({ url: "http://you.example/" })).rejects.toMatchObject({
      code: "invalid-input",
      data: { field: "url" },
    });
  });
});

describe("what comes after an attempt", () => {
  it("grows, is moved a little, and ends with the third", () => {
    expect([0, 0.5, 1].map((random) => nextAttempt(1, { waitMs: 0, random }))).toEqual([2_400, 3_000, 3_600]);
    expect([0, 0.5, 1].map((random) => nextAttempt(2, { waitMs: 0, random }))).toEqual([
      24_000, 30_000, 36_000,
    ]);
    expect(nextAttempt(3, { waitMs: 0, random: 0.5 })).toBeNull();
    expect(nextAttempt(3, { waitMs: 60_000, random: 0.5 })).toBeNull();
    expect(nextAttempt(1, { waitMs: 90_000, random: 0.5 })).toBe(90_000);
    expect(nextAttempt(1, { waitMs: 1e12, random: 0.5 })).toBe(24 * 60 * 60_000);
  });

  it("is what the receiver's answer says", () => {
    const now = Date.UTC(2026, 0, 1);
    const judged = (status: number, retryAfter: string | null = null) =>
      judgeReceipt({ status, retryAfter }, now);
    for (const status of [200, 201, 202, 204, 299])
      expect(judged(status)).toEqual({ outcome: "arrived", status });
    for (const status of [301, 400, 404, 410, 429, 500, 503]) expect(judged(status).outcome).toBe("failed");
    expect(judged(503, "7")).toMatchObject({ waitMs: 7_000 });
    expect(judged(503, "Thu, 01 Jan 2026 00:01:00 GMT")).toMatchObject({ waitMs: 60_000 });
    expect(judged(503, "Wed, 31 Dec 2025 00:00:00 GMT")).toMatchObject({ waitMs: 0 });
    expect(judged(503, "soon")).toMatchObject({ waitMs: 0 });
  });
});
