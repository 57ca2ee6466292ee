/** A catalog process that delivers, is killed in the middle, and starts again: the count of what arrived. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { CatalogClient } from "../../src/client/index.ts";
import { startFakeFarm } from "../../src/testing/index.ts";
import { startReceiver } from "../catalog/receiver.ts";
import { verifies } from "../requirements.ts";
import { startCatalogProcess } from "./catalog-process.ts";

const SUBSCRIPTIONS = 24;
const RELAYS = 24;

it("kill -9 in the middle of deliveries loses none, and repeats some with their own ids only", {
  ...verifies("webhook.crash", "webhook.same-id"),
  timeout: 90_000,
}, async ({ signal }) => {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-webhooks-"));
  await using farm = await startFakeFarm(RELAYS);
  await using receiver = await startReceiver();
  // Held until all is registered, and then slow enough that the kills hit it at work.
  const registered = Promise.withResolvers<void>();
  receiver.answers(() => registered.promise.then(() => sleep(20)).then(() => 204));
  const flags = ["--db", join(folder, "catalog.db"), "--refresh", "off", "--limits", "off"];
  const secrets = new Map<string, string>();
  const all = SUBSCRIPTIONS * RELAYS;
  const distinct = () => new Set(receiver.all.map(({ path, body }) => `${path} ${body.relay?.id}`)).size;
  const arrived = async (count: number) => {
    while (distinct() < count) await sleep(5, undefined, { signal });
  };
  try {
    {
      await using catalog = await startCatalogProcess(flags);
      await using client = new CatalogClient(catalog.url);
      for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
        const { secret } = await client.subscribe({ url: `${receiver.url}/${index}` });
        secrets.set(`/${index}`, secret);
      }
      await Promise.all(farm.urls.map((url) => client.register(url)));
      registered.resolve();
      await arrived(distinct() + 40);
    }
    const first = distinct();
    {
      await using _catalog = await startCatalogProcess(flags);
      await arrived(Math.min(all, first + 40));
    }
    await using _catalog = await startCatalogProcess(flags);
    await arrived(all);
    expect(first).toBeLessThan(all);
    // A second one of the same subscription and relay is the first again.
    expect(new Set(receiver.all.map(({ delivery }) => delivery)).size).toBe(all);
    const verdicts = await Promise.all(
      receiver.all.map((received) => receiver.verified(received, secrets.get(received.path) ?? "")),
    );
    expect(verdicts).not.toContain(false);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
