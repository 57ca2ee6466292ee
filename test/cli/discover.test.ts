/** `openmcp discover` as people and builds use it: what it prints, what it leaves out, how it ends. */
import { describe, expect, it } from "vitest";
import type { Discovery } from "../../src/discovery/index.ts";
import { AI_CATALOG_PATH, MCP_CATALOG_PATH } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { aiCatalog, card, cardEntry, mcpCatalog, startSite } from "../discovery/site.ts";
import { verifies } from "../requirements.ts";
import { runCli } from "./run-cli.ts";

describe("openmcp discover", () => {
  it(
    "prints a tree: what is published where, what runs; and ends with 0 when all is right",
    verifies("discover.cli"),
    async () => {
      await using relay = await startFakeRelay({ serverInfo: { name: "weather", version: "1.0.0" } });
      await using site = await startSite();
      site.serve("/weather.json", card("com.example/weather", relay.url));
      site.serve(
        MCP_CATALOG_PATH,
        mcpCatalog([{ name: "com.example/weather", url: `${site.origin}/weather.json` }]),
      );
      const { code, stdout, stderr } = await runCli(["discover", site.origin]);
      const lines = stdout.split("\n");
      expect(lines[0]).toBe(`${site.origin}/`);
      expect(lines).toEqual(
        expect.arrayContaining([
          "├─ ✓ MCP Catalog, 1 entry  /.well-known/mcp/catalog.json",
          expect.stringMatching(/^│ {2}└─ .*Server Card of com\.example\/weather {2}\/weather\.json/),
          expect.stringContaining(`runs at ${relay.url}`),
          expect.stringContaining("– nothing at /.well-known/openmcp.json"),
        ]),
      );
      expect(stdout).toContain("1 server: 1 running");
      expect(code).toBe(0);
      expect(stderr).toBe("");
    },
  );

  it(
    "says what is wrong, the cure, and what contradicts; and ends with 1",
    verifies("discover.cli"),
    async () => {
      await using relay = await startFakeRelay({ serverInfo: { name: "weather", version: "2.0.0" } });
      const gone = await startFakeRelay();
      await gone.close();
      await using site = await startSite();
      site.serve(
        AI_CATALOG_PATH,
        aiCatalog([cardEntry("weather", "/weather.json"), cardEntry("gone", "/gone.json")]),
      );
      site.serve("/weather.json", card("com.example/weather", relay.url, { version: "^1.0.0" }));
      site.serve("/gone.json", card("com.example/gone", gone.url));
      const { code, stdout } = await runCli(["discover", site.origin]);
      expect(code).toBe(1);
      expect(stdout).toMatch(/✗ \/version: .*\[version-range\]\n.*→ /);
      expect(stdout).toMatch(/✗ Its card says version \^1\.0\.0, and it runs 2\.0\.0\.\n.*→ Publish/);
      expect(stdout).toMatch(/✗ does not run at .*\(unreachable\)/);
    },
  );

  it(
    "ends with 1 when nothing is published, with 6 when nothing can be known, with 2 for what is no URL",
    verifies("discover.cli"),
    async () => {
      await using site = await startSite();
      const nothing = await runCli(["discover", site.origin]);
      expect(nothing).toMatchObject({ code: 1, stderr: "" });
      expect(nothing.stdout).toContain("Nothing is published here");
      site.serve("*", { status: 503 });
      expect((await runCli(["discover", site.origin])).code).toBe(6);
      expect((await runCli(["discover", "ftp://example.com"])).code).toBe(2);
      expect((await runCli(["discover", "example.com", "--input", "x"])).code).toBe(2);
    },
  );

  it("gives machines everything but secrets, and prints none either", async () => {
    await using relay = await startFakeRelay();
    const { host } = new URL(relay.url);
    const secret = "s3cr3t-va lue";
    const remotes = [
      {
        type: "streamable-http",
        url: `http://${host}/mcp?key={key}`,
        variables: { key: { isRequired: true, isSecret: true } },
        headers: [{ name: "X-Token", isRequired: true, isSecret: true }],
      },
    ];
    await using site = await startSite({
      "/.well-known/mcp-server-card": card("com.example/one", "", { remotes }),
    });
    const argv = ["discover", site.origin, "--input", `key=${secret}`, "--input", `X-Token=${secret}x`];
    const tree = await runCli([...argv, "--log"]);
    const json = await runCli([...argv, "--json"]);
    expect(relay.requests.some(({ path }) => path.includes("s3cr3t"))).toBe(true);
    expect(relay.requests.some(({ headers }) => JSON.stringify(headers).includes("s3cr3t"))).toBe(false);
    for (const text of [tree.stdout, tree.stderr, json.stdout, json.stderr])
      expect(text).not.toContain("s3cr3t");
    const found = JSON.parse(json.stdout) as Discovery & {
      readonly servers: readonly { readonly headers: readonly string[] }[];
    };
    expect(found.servers[0]?.headers).toEqual(
      ["x-token"].map((name) => expect.stringMatching(new RegExp(name, "i"))),
    );
    expect(found.requests.length).toBeGreaterThan(5);
    expect(tree.stderr.split("\n").filter((line) => line.includes("GET ")).length).toBe(
      found.requests.length,
    );
  });

  it(
    "fails where a catalog's entries lead to no document, and says which and why",
    verifies("discover.dangling"),
    async () => {
      await using site = await startSite();
      site.serve(
        AI_CATALOG_PATH,
        aiCatalog([cardEntry("gone", "/gone.json"), cardEntry("shut", "/shut.json")]),
      );
      site.serve("/shut.json", { status: 403 });
      const { code, stdout } = await runCli(["discover", site.origin]);
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /✗ .*gone leads to no document {2}\/gone\.json {2}404: nothing.*\n.*→ Publish its/,
      );
      expect(stdout).toMatch(
        /✗ .*shut leads to no document {2}\/shut\.json {2}denied: 403: .*\n.*→ Let anyone/,
      );
      expect(stdout).toContain("2 entries that lead nowhere");
      // Told once: not among the places where nothing had to be.
      expect(stdout.match(/gone\.json/g)).toHaveLength(1);
    },
  );

  it("does not promise that what is refused will be there later", async () => {
    const { code, stdout } = await runCli(["discover", "http://169.254.169.254/"]);
    expect(code).toBe(6);
    expect(stdout).toContain("not all that was to be asked may be");
    expect(stdout).not.toContain("later");
  });

  it("lists what a template lacks, and asks no server with --no-look", async () => {
    await using relay = await startFakeRelay();
    const remotes = [
      {
        type: "streamable-http",
        url: "https://{tenant}.example.com/mcp",
        variables: { tenant: { isRequired: true } },
      },
    ];
    await using site = await startSite();
    site.serve(AI_CATALOG_PATH, aiCatalog([cardEntry("a", "/a.json"), cardEntry("b", "/b.json")]));
    site.serve("/a.json", card("com.example/a", "", { remotes }));
    site.serve("/b.json", card("com.example/b", relay.url));
    const { stdout } = await runCli(["discover", site.origin, "--no-look"]);
    expect(stdout).toContain("→ --input tenant=…");
    expect(stdout).toContain("not asked whether it runs");
    expect(relay.requests).toEqual([]);
  });

  it("prints nothing that moves a cursor", async () => {
    await using site = await startSite();
    site.serve(
      "/.well-known/mcp-server-card",
      card("com.example/one", "https://one.example/mcp\u001b[2J", {
        title: "\u001b]0;x\u0007",
        version: "1\u001b[31m",
      }),
    );
    const { stdout } = await runCli(["discover", site.origin, "--no-look"]);
    expect(stdout).not.toContain("\u001b");
  });
});
