import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/catalog/index.ts";
import { mergeFinding } from "../../src/catalog/probe/merge-finding.ts";
import { diffRecords, probeStates, type RelayRecord } from "../../src/spec/index.ts";
import type { StoredRelay } from "../../src/store/index.ts";
import { verifies } from "../requirements.ts";
import { ENDPOINT, failed, finding, listed, NOON, online, SOURCE, tool, vouched } from "./findings.ts";

const LATER = NOON + 60_000;

function merge(before: StoredRelay | null, next: Finding): RelayRecord {
  const merged = mergeFinding(before, next, { now: LATER, id: "relay.example" });
  if (merged === null) throw new Error("not listable");
  return merged.record;
}

describe("mergeFinding", () => {
  it.each(probeStates)(
    "lists a first finding that is %s only if it is online or vouched for",
    verifies("probe.facts-only"),
    (state) => {
      const verdict = state === "online" ? online() : failed(state);
      const options = { now: NOON, id: "x" };
      expect(mergeFinding(null, finding(verdict), options) !== null).toBe(state === "online");
      const unknown = finding(verdict, { descriptorEvidence: "unknown" });
      expect(mergeFinding(null, unknown, options) !== null).toBe(state === "online");
      const merged = mergeFinding(null, finding(verdict, vouched()), options);
      expect(merged?.record).toMatchObject({ verified: true, online: state === "online", probe: { state } });
    },
  );

  it("never drops a relay that is listed", () => {
    const before = listed(finding(online()));
    for (const state of probeStates.filter((other) => other !== "online")) {
      expect(merge(before, finding(failed(state))).online).toBe(false);
    }
  });

  it("keeps what is known through failures and counts them", verifies("probe.offline-keeps-tools"), () => {
    const before = listed(
      finding(online([tool("a", { inputSchema: { type: "object" } }), tool("b")]), vouched()),
    );
    const once = merge(before, finding(failed("timeout"), { descriptorEvidence: "unknown" }));
    expect(once).toMatchObject({
      id: "relay.example",
      online: false,
      verified: true,
      source: SOURCE,
      descriptor: { mcp: "/mcp" },
      tools: before.record.tools,
      toolsFrom: "earlier",
      server: before.record.server,
      seenAt: before.record.seenAt,
      firstSeenAt: before.record.firstSeenAt,
      failures: 1,
      lastError: "it is timeout",
      probe: {
        state: "timeout",
        at: new Date(LATER).toISOString(),
        toolsHash: before.record.probe.toolsHash,
      },
    });
    const twice = merge(
      { ...before, record: once },
      finding(failed("unreachable"), { descriptorEvidence: "unknown" }),
    );
    expect(twice).toMatchObject({ failures: 2, toolsFrom: "earlier", tools: before.record.tools });
    const back = merge({ ...before, record: twice }, finding(online([tool("c")]), vouched()));
    expect(back).toMatchObject({
      online: true,
      failures: 0,
      lastError: null,
      toolsFrom: "relay",
      tools: [{ name: "c" }],
      seenAt: new Date(LATER).toISOString(),
    });
  });

  it("never wipes tools on a 401", () => {
    const before = listed(finding(online(), vouched()));
    const gated = merge(before, finding(failed("auth-required"), vouched()));
    expect(gated).toMatchObject({ tools: before.record.tools, toolsFrom: "earlier", online: false });
  });

  it.each([
    ["served", vouched({ name: "New" }), true, { mcp: "/mcp", name: "New" }],
    ["absent", { descriptorEvidence: "absent" as const }, false, { mcp: ENDPOINT }],
    ["unknown", { descriptorEvidence: "unknown" as const }, true, { mcp: "/mcp", name: "Old" }],
  ])("judges verified afresh when the evidence is %s", (_name, evidence, verified, descriptor) => {
    const before = listed(finding(online(), vouched({ name: "Old" })));
    for (const verdict of [online(), failed("timeout")]) {
      const after = merge(before, finding(verdict, evidence));
      expect(after.verified).toBe(verified);
      expect(after.descriptor).toEqual(descriptor);
      expect(after.probe.verifiedBy).toBe(verified ? "openmcp" : null);
      expect(after.source).toBe(verified ? SOURCE : ENDPOINT);
    }
  });

  it(
    "takes tool names from the descriptor only while the relay has listed none",
    verifies("descriptor.tools-fallback"),
    () => {
      const names = vouched({ tools: ["x", "y"] });
      const before = listed(finding(failed("auth-required"), names));
      expect(before.record).toMatchObject({ tools: [{ name: "x" }, { name: "y" }], toolsFrom: "descriptor" });
      const fewer = merge(before, finding(failed("auth-required"), vouched({ tools: ["x"] })));
      expect(fewer).toMatchObject({ tools: [{ name: "x" }], toolsFrom: "descriptor" });
      const none = merge(before, finding(failed("auth-required"), vouched()));
      expect(none).toMatchObject({ tools: [], toolsFrom: null, probe: { toolsHash: null } });
      const live = merge(before, finding(online([]), names));
      expect(live).toMatchObject({ tools: [], toolsFrom: "relay" });
      const after = merge({ ...before, record: live }, finding(failed("timeout"), names));
      expect(after).toMatchObject({ tools: [], toolsFrom: "earlier" });
    },
  );

  it("says that a list was cut, also when it is an earlier one", () => {
    const before = listed(finding(online([tool("a")], { toolsTruncated: true })));
    expect(before.record.probe.toolsTruncated).toBe(true);
    expect(merge(before, finding(failed("timeout"))).probe.toolsTruncated).toBe(true);
    expect(merge(before, finding(online([tool("a")]))).probe.toolsTruncated).toBe(false);
  });

  describe("a list that broke off", () => {
    const brokenOff = { toolsTruncated: true, toolsBrokenOff: true };
    const names = (record: RelayRecord) => record.tools.map(({ name }) => name);

    it("keeps what it did not come to, and takes what came as it is now", () => {
      const before = listed(finding(online([tool("a"), tool("b"), tool("c")])));
      const fresh = merge(before, finding(online([tool("b", { title: "B" }), tool("d")], brokenOff)));
      expect(fresh).toMatchObject({
        tools: [{ name: "b", title: "B" }, { name: "d" }, { name: "a" }],
        toolsFrom: "earlier",
        online: true,
        probe: { toolsTruncated: true },
      });
    });

    it("is no longer than the longer of both, however often it breaks off with other names", () => {
      let stored = listed(finding(online([tool("a"), tool("b"), tool("c")])));
      for (const round of [1, 2, 3, 4]) {
        const came = [tool(`x${round}`), tool(`y${round}`)];
        const record = merge(stored, finding(online(came, brokenOff)));
        expect(names(record)).toHaveLength(3);
        expect(names(record).slice(0, 2)).toEqual([`x${round}`, `y${round}`]);
        stored = { ...stored, record };
      }
    });

    it("counts as it is when it is longer, when nothing was listed before, and when only a cap cut it", () => {
      const before = listed(finding(online([tool("a")])));
      expect(merge(before, finding(online([tool("b"), tool("c")], brokenOff)))).toMatchObject({
        tools: [{ name: "b" }, { name: "c" }],
        toolsFrom: "relay",
      });
      const unlisted = listed(finding(failed("auth-required"), vouched({ tools: ["x", "y"] })));
      expect(names(merge(unlisted, finding(online([tool("a")], brokenOff))))).toEqual(["a"]);
      const long = listed(finding(online([tool("a"), tool("b")])));
      expect(names(merge(long, finding(online([tool("c")], { toolsTruncated: true }))))).toEqual(["c"]);
    });

    it("makes no event of tools that it merely did not come to, and heals with the next whole list", () => {
      const before = listed(finding(online([tool("a"), tool("b")])));
      const broken = merge(before, finding(online([tool("a")], brokenOff)));
      expect(diffRecords(before.record, broken)).toEqual([]);
      const healed = merge({ ...before, record: broken }, finding(online([tool("a")])));
      expect(healed).toMatchObject({ toolsFrom: "relay", probe: { toolsTruncated: false } });
      expect(names(healed)).toEqual(["a"]);
    });
  });

  it("hashes tools whatever the order of keys and tools", verifies("record.no-change"), () => {
    const one = listed(finding(online([tool("a", { title: "A", description: "d" }), tool("b")]))).record;
    const other = listed(finding(online([tool("b"), { description: "d", title: "A", name: "a" }]))).record;
    const third = listed(finding(online([tool("b"), tool("a")]))).record;
    expect(other.probe.toolsHash).toBe(one.probe.toolsHash);
    expect(third.probe.toolsHash).not.toBe(one.probe.toolsHash);
  });

  it("makes no event of a probe that found nothing new", verifies("record.no-change"), () => {
    const before = listed(finding(online(), vouched()));
    const after = merge(before, finding(online([tool("a")], { latencyMs: 999 }), vouched()));
    expect(diffRecords(before.record, after)).toEqual([]);
    const down = merge(before, finding(failed("timeout"), { descriptorEvidence: "unknown" }));
    expect(diffRecords(before.record, down)).toEqual(["relay.offline"]);
    const stillDown = merge(
      { ...before, record: down },
      finding(failed("unreachable"), { descriptorEvidence: "unknown" }),
    );
    expect(diffRecords(down, stillDown)).toEqual([]);
  });

  it("moves a record to another path: the old endpoint becomes an alias", verifies("id.alias"), () => {
    const before = listed(finding(online(), vouched()));
    const url = "https://relay.example/v2/mcp";
    const moved = mergeFinding(before, finding(online(), { ...vouched({ mcp: "/v2/mcp" }), url }), {
      now: LATER,
      id: "unused",
    });
    expect(moved).toMatchObject({ endpoint: url, record: { id: "relay.example", aliases: [ENDPOINT] } });
    const back = mergeFinding(
      { ...before, ...moved, revision: 2 } as StoredRelay,
      finding(online(), vouched()),
      { now: LATER, id: "unused" },
    );
    expect(back).toMatchObject({ endpoint: ENDPOINT, record: { aliases: [url] } });
  });

  it("keeps the spelling that works", () => {
    const slash = `${ENDPOINT}/`;
    const before = listed(finding(online(), { url: slash }));
    expect(merge(before, finding(online(), { url: ENDPOINT })).descriptor.mcp).toBe(slash);
    const down = merge(before, finding(failed("not-mcp"), { url: ENDPOINT }));
    expect(down.descriptor.mcp).toBe(slash);
    expect(merge({ ...before, record: down }, finding(online(), { url: ENDPOINT })).descriptor.mcp).toBe(
      ENDPOINT,
    );
  });

  it("keeps via unless told, and makes it direct when told", () => {
    const peer = "https://other.catalog";
    const options = { now: NOON, id: "x" };
    const learned = mergeFinding(null, finding(online()), { ...options, via: peer });
    const before = { ...learned, revision: 1 } as StoredRelay;
    expect(before.record.via).toBe(peer);
    expect(mergeFinding(before, finding(online()), options)?.record.via).toBe(peer);
    expect(mergeFinding(before, finding(online()), { ...options, via: null })?.record.via).toBeNull();
  });

  it("remembers hints until better ones come", () => {
    const before = listed(finding(online()));
    const kept = mergeFinding(before, finding(failed("timeout")), { now: LATER, id: "x" });
    expect(kept?.hints).toEqual(before.hints);
  });

  describe("over any row of findings", () => {
    const verdicts = fc.oneof(
      fc
        .array(fc.constantFrom("a", "b", "c"), { maxLength: 3 })
        .map((names) => online([...new Set(names)].map((name) => tool(name)))),
      fc.constantFrom(...probeStates.filter((state) => state !== "online")).map((state) => failed(state)),
    );
    const evidence = fc.oneof(
      fc.constant(vouched()),
      fc.constant(vouched({ tools: ["x"] })),
      fc.constant({ descriptorEvidence: "absent" as const }),
      fc.constant({ descriptorEvidence: "unknown" as const }),
    );
    const row = fc.array(
      fc.tuple(verdicts, evidence).map(([verdict, word]) => finding(verdict, word)),
      { minLength: 1, maxLength: 12 },
    );

    it("the facts of a record agree with each other, and its identity stays", () => {
      fc.assert(
        fc.property(row, (findings) => {
          let before: StoredRelay | null = null;
          let now = NOON;
          let seen: string | null = null;
          let failures = 0;
          for (const next of findings) {
            now += 1_000;
            const merged = mergeFinding(before, next, { now, id: "relay.example" });
            if (merged === null) {
              expect(before).toBeNull();
              continue;
            }
            const { record }: { record: RelayRecord } = merged;
            if (record.online) seen = new Date(now).toISOString();
            failures = record.online ? 0 : failures + 1;
            expect(record.online).toBe(record.probe.state === "online");
            expect(record.verified).toBe(record.probe.verifiedBy !== null);
            expect(record.lastError === null).toBe(record.online);
            expect(record.failures).toBe(failures);
            expect(record.seenAt).toBe(seen);
            expect(record.firstSeenAt).toBe(before?.record.firstSeenAt ?? new Date(now).toISOString());
            expect(record.toolsFrom === "relay").toBe(record.online);
            expect(record.probe.toolsHash === null).toBe(record.toolsFrom === null);
            if (before?.record.toolsFrom === "relay")
              expect(["relay", "earlier"]).toContain(record.toolsFrom);
            // What is told of a change is what a reader of the two records sees.
            const events = diffRecords(before?.record ?? null, record);
            expect(events.includes("relay.online")).toBe(before?.record.online === false && record.online);
            before = { ...merged, revision: 1 };
          }
        }),
      );
    });
  });
});
