/** The client's discover over this process's own fetch, as a browser would run it. */
import { describe, expect, it } from "vitest";
import { discover } from "../../src/client/index.ts";
import { AI_CATALOG_PATH, DESCRIPTOR_PATH, MCP_CATALOG_PATH } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { aiCatalog, card, cardEntry, startSite } from "../discovery/site.ts";
import { verifies } from "../requirements.ts";

describe("discover", () => {
  it.each(["modern", "legacy"] as const)(
    "finds and asks a %s server, over redirects too",
    verifies("discover.client"),
    async (era) => {
      const tools = Array.from({ length: 5 }, (_, at) => ({
        name: `t${at}`,
        inputSchema: { type: "object" },
      }));
      await using relay = await startFakeRelay({
        era,
        tools,
        pageSize: 2,
        serverInfo: { name: "one", version: "1.0.0" },
      });
      await using target = await startSite({ "/cards/one": card("com.example/one", relay.url) });
      target.serve("/list.json", aiCatalog([cardEntry("one", "cards/one")]));
      await using site = await startSite();
      site.serve(AI_CATALOG_PATH, { status: 302, headers: { location: `${target.origin}/list.json` } });
      const found = await discover(site.origin);
      expect(found.verdict).toBe("found");
      expect(found.servers).toMatchObject([
        {
          endpoint: relay.url,
          names: ["com.example/one"],
          conformant: true,
          contradictions: [],
          live: { state: "online", server: { name: "one", version: "1.0.0" }, toolsTruncated: false },
          chains: [
            {
              listedBy: `${site.origin}${AI_CATALOG_PATH}`,
              hostedBy: `${target.origin}/cards/one`,
              runsAt: relay.url,
            },
          ],
        },
      ]);
      expect(found.servers[0]?.live?.tools?.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    },
  );

  it("says what does not run, and why", async () => {
    await using gated = await startFakeRelay({ token: "t" });
    const gone = await startFakeRelay();
    await gone.close();
    await using page = await startSite({
      "*": { headers: { "content-type": "text/html" }, body: "<p>hello" },
    });
    await using site = await startSite();
    const places = [gated.url, gone.url, `${page.origin}/mcp`];
    const entries = places.map((url, at) => ({
      ...cardEntry(`s${at}`, ""),
      url: undefined,
      data: card(`com.example/s${at}`, url),
    }));
    site.serve(AI_CATALOG_PATH, aiCatalog(entries));
    const found = await discover(site.origin);
    expect(found.servers.map(({ live }) => live?.state)).toEqual(["auth-required", "unreachable", "not-mcp"]);
    expect(found.servers.map(({ contradictions }) => contradictions.map(({ about }) => about))).toEqual([
      [],
      ["reachable"],
      ["reachable"],
    ]);
    for (const { live } of found.servers) expect(live?.error).toMatch(/^[A-Z].+\.$/);
  });

  it("asks no server when only the documents are wanted", async () => {
    await using relay = await startFakeRelay({ descriptor: { mcp: "/mcp" } });
    const found = await discover(relay.origin, { look: false });
    expect(found.servers).toMatchObject([{ endpoint: relay.url, live: null }]);
    expect(relay.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  it("stops a body that has no end, gives up on one that hangs, and ends with its caller", async () => {
    await using site = await startSite();
    let sent = 0;
    site.serve(AI_CATALOG_PATH, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"entries":[');
      const more = (): void => {
        while (!response.destroyed && sent < 256 * 1024 * 1024) {
          sent += 65_536;
          if (!response.write(" ".repeat(65_536))) return void response.once("drain", more);
        }
      };
      more();
    });
    const found = await discover(site.origin, { look: false });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    expect(found.documents).toMatchObject([{ kind: "unusable", diagnostics: [{ code: "too-large" }] }]);

    const abort = new AbortController();
    site.serve(AI_CATALOG_PATH, (_request, response) => {
      response.writeHead(200).write("{");
      abort.abort();
    });
    await expect(discover(site.origin, { signal: abort.signal })).rejects.toMatchObject({ code: "aborted" });
  });

  it("takes what can't be reached for no evidence, and what is no URL for the caller's mistake", async () => {
    const gone = await startSite();
    await gone[Symbol.asyncDispose]();
    const found = await discover(gone.origin);
    expect(found).toMatchObject({ verdict: "unknown", servers: [] });
    expect(new Set(found.requests.map(({ url }) => new URL(url).pathname))).toEqual(
      new Set(["/", DESCRIPTOR_PATH, AI_CATALOG_PATH, MCP_CATALOG_PATH]),
    );
    await expect(discover("file:///etc/passwd")).rejects.toMatchObject({ code: "invalid-input" });
  });
});
