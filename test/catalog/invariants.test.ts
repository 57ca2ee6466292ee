/** Whatever comes in whatever order at once: one record an endpoint, one id a record, events that add up. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { canonicalEndpoint, type RelayRecord, recordEndpoint } from "../../src/spec/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { admin, startTestCatalog } from "./fixture.ts";

const PATHS = ["/mcp", "/api/mcp", "/v2/mcp"];

/** An origin at which every path is the same MCP server, as far as anyone can tell. */
let houses: FakeRelay[] = [];
let inner: FakeRelay;
beforeAll(async () => {
  inner = await startFakeRelay();
  houses = await Promise.all(
    ["127.0.0.11", "127.0.0.12"].map((host) =>
      startFakeRelay({
        host,
        path: "/none",
        async intercept(seen, response) {
          if (!PATHS.includes(seen.path)) return false;
          const answer = await fetch(inner.url, {
            method: seen.method,
            headers: seen.headers as Record<string, string>,
            body: seen.body,
          });
          response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
          return true;
        },
      }),
    ),
  );
});
afterAll(() => Promise.all([inner, ...houses].map((relay) => relay.close())));

const house = fc.nat({ max: 1 });
const action = fc.oneof(
  fc.record({ kind: fc.constant("register" as const), house, path: fc.constantFrom("", ...PATHS) }),
  fc.record({ kind: fc.constant("refresh" as const), house, path: fc.constantFrom(...PATHS) }),
  fc.record({ kind: fc.constant("remove" as const), house, path: fc.constantFrom(...PATHS) }),
  fc.record({ kind: fc.constant("describe" as const), house, path: fc.constantFrom("", ...PATHS) }),
);

describe("the catalog", () => {
  it("keeps its invariants under any actions at once", {
    ...verifies("id.never-overwritten", "id.collision"),
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(action, { minLength: 1, maxLength: 6 }), { maxLength: 4 }),
        async (waves) => {
          for (const relay of houses) relay.update({ descriptor: null });
          await using catalog = await startTestCatalog();
          for (const wave of waves) {
            await Promise.all(
              wave.map(async ({ kind, house: at, path }) => {
                const relay = houses[at] as FakeRelay;
                const url = `${relay.origin}${path}`;
                if (kind === "describe") relay.update({ descriptor: path === "" ? null : { mcp: path } });
                else if (kind === "register") {
                  const { relay: record } = await catalog.register(url).catch((error: { code: string }) => {
                    // A former URL of a relay that is removed at this very moment.
                    expect(error.code).toBe("not-found");
                    return { relay: null };
                  });
                  if (record !== null) expect(new URL(recordEndpoint(record)).origin).toBe(relay.origin);
                } else {
                  const stored = await catalog.store.relays.findByEndpoint(url);
                  if (stored === null) return;
                  const { id } = stored.record;
                  const done =
                    kind === "refresh"
                      ? catalog.refresh(id)
                      : operations.remove.run(catalog.context, { id }, admin);
                  await (done as Promise<unknown>).catch((error: { code: string }) => {
                    expect(error.code).toBe("not-found");
                  });
                }
              }),
            );
          }
          const ids = await catalog.ids();
          const records: RelayRecord[] = await Promise.all(ids.map((id) => catalog.get(id)));
          const owned = records.flatMap((record) => [
            canonicalEndpoint(recordEndpoint(record)),
            ...(record.aliases ?? []),
          ]);
          expect(new Set(owned).size).toBe(owned.length);
          for (const record of records) {
            const stored = await catalog.store.relays.findByEndpoint(recordEndpoint(record));
            expect(stored?.record.id).toBe(record.id);
            expect(record.online).toBe(true);
            // An origin has one descriptor: it speaks for one relay, save for those not looked at since it changed.
            if (record.verified) expect(record.source).toContain(".well-known");
          }
          const events = (await catalog.changes()).map((change) => change.event);
          const came = events.filter((event) => event === "relay.registered").length;
          const went = events.filter((event) => event === "relay.removed").length;
          expect(came - went).toBe(ids.length);
        },
      ),
      { numRuns: 25 },
    );
  });
});
