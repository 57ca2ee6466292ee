import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_BUDGETS } from "../../src/catalog/index.ts";
import {
  formatDuration,
  parseDuration,
  parseServeOptions,
  type ServeFlags,
  serveVariables,
} from "../../src/server/index.ts";
import { isOpenMcpError } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";

function refusal(flags: ServeFlags, env: Record<string, string> = {}): { field: unknown; message: string } {
  try {
    parseServeOptions(flags, env);
  } catch (error) {
    if (isOpenMcpError(error, "invalid-input")) return { field: error.data.field, message: error.message };
    throw error;
  }
  throw new Error("not refused");
}

describe("serve options", () => {
  it("need nothing: loopback, port 8790, a file in the working folder", () => {
    expect(parseServeOptions({}, {})).toEqual({
      host: "127.0.0.1",
      port: 8790,
      db: resolve("openmcp.db"),
      url: null,
      name: "OpenMCP catalog",
      operator: null,
      adminToken: null,
      allowNetworks: [],
      refreshMs: 600_000,
      confirmOffline: 2,
      secretsKeys: [],
      peers: [],
      peerSyncMs: 900_000,
      registry: null,
      budgets: DEFAULT_BUDGETS,
      trustProxy: null,
      logLevel: "info",
    });
  });

  it("read every variable as its flag", () => {
    const values: Record<keyof typeof serveVariables, string> = {
      host: "0.0.0.0",
      port: "80",
      db: "/tmp/x.db",
      url: "https://catalog.example/",
      name: "Ours",
      operator: "https://op.example/me",
      adminToken: "s3cret",
      allowNetwork: "10.0.0.0/8, fd00::/8",
      refresh: "6s",
      confirmOffline: "3",
      secretsKey: `${"ab".repeat(32)},${"A".repeat(43)}=`,
      peer: "https://a.example/v1, b.example/.well-known/openmcp.json",
      peerSync: "1h",
      registry: "https://registry.example/",
      limits: '{"call": "off"}',
      trustProxy: "2",
      logLevel: "warn",
    };
    const env = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [serveVariables[key as keyof typeof values], value]),
    );
    expect(parseServeOptions({}, env)).toEqual(parseServeOptions(values, {}));
    expect(parseServeOptions(values)).toMatchObject({
      url: "https://catalog.example",
      allowNetworks: ["10.0.0.0/8", "fd00::/8"],
      refreshMs: 6_000,
    });
  });

  it("let a flag win over the environment, and take an empty variable as unset", () => {
    expect(parseServeOptions({ port: "1" }, { OPENMCP_PORT: "2" }).port).toBe(1);
    expect(parseServeOptions({}, { OPENMCP_PORT: "", OPENMCP_URL: " " })).toMatchObject({
      port: 8790,
      url: null,
    });
    expect(parseServeOptions({ refresh: "off" }, { OPENMCP_REFRESH: "1s" }).refreshMs).toBeNull();
  });

  it.each<[ServeFlags, string, RegExp]>([
    [{ port: "http" }, "--port", /from 0/],
    [{ port: "65536" }, "--port", /65535/],
    [{ port: "-1" }, "--port", /65535/],
    [{ host: "http://x" }, "--host", /without scheme/],
    [{ host: "0.0.0.0" }, "--host", /--url/],
    [{ host: "10.0.0.1" }, "--host", /--url/],
    [{ host: "::" }, "--host", /--url/],
    [{ url: "catalog.example" }, "--url", /https:\/\//],
    [{ url: "ftp://catalog.example" }, "--url", /http/],
    [{ url: "https://catalog.example/?a=1" }, "--url", /query/],
    [{ operator: "me" }, "--operator", /profile/],
    [{ allowNetwork: "10.0.0.0" }, "--allow-network", /CIDR/],
    [{ allowNetwork: ["10.0.0.0/8", "10.0.0.0/33"] }, "--allow-network", /10\.0\.0\.0\/33/],
    [{ allowNetwork: "fd00::/129" }, "--allow-network", /CIDR/],
    [{ refresh: "10" }, "--refresh", /10m/],
    [{ refresh: "1ms" }, "--refresh", /100ms/],
    [{ refresh: "25d" }, "--refresh", /24d/],
    [{ peer: ["https://a.example", "ftp://b.example"] }, "--peer", /ftp:.*http or https/],
    [{ peerSync: "10ms" }, "--peer-sync", /1s to 7d/],
    [{ registry: "registry.example" }, "--registry", /https:\/\//],
    [{ registry: "https://me:hunter2@registry.example" }, "--registry", /not shown/],
    [{ db: "" }, "--db", /path/],
    [
      { limits: '{"calls": {"perMinute": 1}}' },
      "--limits",
      /"calls".*register, bulk, refresh, call, subscribe/,
    ],
    [{ limits: '{"call": 5}' }, "--limits", /call must be \{"perMinute", "burst"\} or "off", not 5/],
    [{ limits: '{"call": {"perMinute": "ten"}}' }, "--limits", /call\.perMinute .* above 0.*not "ten"/],
    [{ limits: '{"call": {"burst": 5}}' }, "--limits", /call\.perMinute .* not left out/],
    [{ limits: '{"call": {"perMinute": 0}}' }, "--limits", /call\.perMinute/],
    [
      { limits: '{"bulk": {"perMinute": 1, "burst": 0.5}}' },
      "--limits",
      /bulk\.burst .*whole number from 1.*0\.5/,
    ],
    [{ limits: '{"bulk": {"perMinute": 1, "brust": 2}}' }, "--limits", /bulk\.brust is no field/],
    [{ limits: "{" }, "--limits", /is not JSON/],
    [{ limits: "/nowhere/limits.json" }, "--limits", /nowhere.*can't be read/],
    [{ limits: import.meta.filename }, "--limits", /is not JSON/],
    // Without an end: read no further than such a file is long.
    [{ limits: "/dev/zero" }, "--limits", /can't be read, or is over 64 KiB/],
    [{ trustProxy: "yes" }, "--trust-proxy", /such as 1/],
    [{ trustProxy: "11" }, "--trust-proxy", /1 to 10/],
    [{ trustProxy: "1,2" }, "--trust-proxy", /two numbers/],
    [{ trustProxy: "1,10.0.0.0/8" }, "--trust-proxy", /one or the other/],
    [{ trustProxy: "10.0.0.0/40" }, "--trust-proxy", /such as 10\.0\.0\.0\/8/],
    [{ trustProxy: "forwarded" }, "--trust-proxy", /1,forwarded/],
    [{ logLevel: "loud" }, "--log-level", /debug/],
  ])("refuse %j, naming %s and the cure", (flags, field, cure) => {
    const { field: named, message } = refusal(flags);
    expect(named).toBe(field);
    expect(message).toMatch(cure);
    expect(message.startsWith(field)).toBe(true);
  });

  it("name the variable when that was what was wrong", () => {
    expect(refusal({}, { OPENMCP_PORT: "x" }).field).toBe("OPENMCP_PORT");
  });

  it("never repeat a credential in a refusal", () => {
    expect(refusal({ adminToken: "two words" }).message).not.toContain("two words");
    expect(refusal({ url: "https://user:hunter2@x.example" }).message).not.toContain("hunter2");
    expect(refusal({ peer: "https://user:hunter2@x.example" }).message).not.toContain("hunter2");
  });

  it("read peers by whatever URL they are named, and may leave syncing off", () => {
    const read = parseServeOptions({ peer: ["https://A.example/v1/,b.example"], peerSync: "off" });
    expect(read).toMatchObject({ peers: ["https://a.example", "https://b.example"], peerSyncMs: null });
  });

  it(
    "read limits as default, off, JSON or a file of it; what is left out keeps its default",
    verifies("fair.limits"),
    async () => {
      const read = (limits: string) => parseServeOptions({ limits }).budgets;
      expect(read("default")).toEqual(DEFAULT_BUDGETS);
      expect(read("OFF")).toBeNull();
      const json = '{"call": {"perMinute": 0.5}, "bulk": "off", "register": {"perMinute": 7.5, "burst": 2}}';
      const expected = {
        ...DEFAULT_BUDGETS,
        call: { perMinute: 0.5, burst: 1 },
        bulk: null,
        register: { perMinute: 7.5, burst: 2 },
      };
      expect(read(json)).toEqual(expected);
      const folder = await mkdtemp(join(tmpdir(), "openmcp-limits-"));
      try {
        await writeFile(join(folder, "limits.json"), `\n${json}\n`);
        expect(read(join(folder, "limits.json"))).toEqual(expected);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  it.each([
    ["off", null],
    ["0", null],
    ["1", { proxies: { hops: 1 }, header: "x-forwarded-for" }],
    ["2, Forwarded", { proxies: { hops: 2 }, header: "forwarded" }],
    [
      "10.0.0.0/8,192.0.2.7",
      { proxies: { networks: ["10.0.0.0/8", "192.0.2.7/32"] }, header: "x-forwarded-for" },
    ],
    ["loopback", { proxies: { networks: ["127.0.0.0/8", "::1/128"] }, header: "x-forwarded-for" }],
  ])("read trusted proxies: %s", (trustProxy, expected) => {
    expect(parseServeOptions({ trustProxy }).trustProxy).toEqual(expected);
  });

  it.each(["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost"])("take %s as loopback", (host) => {
    expect(parseServeOptions({ host }).url).toBeNull();
  });
});

describe("durations", () => {
  it("come back from their shortest spelling", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });

  it.each([
    ["1.5h", 5_400_000],
    ["2 m", 120_000],
    ["1D", 86_400_000],
    ["5", null],
    ["-5s", null],
    ["5 weeks", null],
    ["", null],
  ])("%j is %s", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});
