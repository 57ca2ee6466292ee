/** `openmcp peer` against a real catalog, for people and for machines. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseServeOptions, type RunningCatalog, startCatalog } from "../../src/server/index.ts";
import { relayId } from "../../src/spec/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { type FakePeer, startFakePeer } from "../peers/fake-peer.ts";
import { runCli } from "./run-cli.ts";

let catalog: RunningCatalog;
let relay: FakeRelay;
let peer: FakePeer;

beforeAll(async () => {
  relay = await startFakeRelay({ descriptor: { mcp: "/mcp", name: "Weather" } });
  peer = await startFakePeer({ relays: [relay.url], host: "127.0.0.2" });
  const options = { port: 0, db: ":memory:", refresh: "off", peerSync: "off", logLevel: "silent" };
  catalog = await startCatalog(parseServeOptions({ ...options, adminToken: "sesame" }));
});
afterAll(async () => {
  await catalog?.close();
  await peer?.close();
  await relay?.close();
});

const cli = (...argv: readonly string[]) => runCli([...argv, "--catalog", catalog.url]);
const asAdmin = (...argv: readonly string[]) => cli(...argv, "--token", "sesame");

describe("peer", () => {
  it("lists none, and says how to name one", async () => {
    const { code, stdout, stderr } = await cli("peer", "list");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("openmcp peer add");
    expect(JSON.parse((await cli("peer", "list", "--json")).stdout)).toEqual({ peers: [] });
  });

  it("adds, syncs and removes for the admin alone", async () => {
    for (const argv of [["add", peer.url], ["sync"], ["rm", peer.url]]) {
      const { code, stderr } = await cli("peer", ...argv);
      expect(code).toBe(4);
      expect(stderr).toContain("--token or OPENMCP_TOKEN");
    }
    expect(await asAdmin("peer", "add", `${peer.url}/v1`)).toMatchObject({
      code: 0,
      stdout: `✓ peer: ${peer.url}\n`,
    });
    expect((await cli("peer", "list")).stdout).toBe(`${peer.url}  never synced to the end\n`);
    expect(await asAdmin("peer", "sync")).toMatchObject({
      code: 0,
      stdout: "1 relay learned from 1 peer.\n",
    });
    expect((await cli("peer", "list")).stdout).toMatch(/ {2}synced (now|.* ago)\n$/);

    const id = relayId(relay.url);
    expect((await cli("show", id)).stdout).toContain(`learned via ${peer.url}`);
    const { stdout } = await cli("relays");
    expect(stdout).toMatch(/NAME +VIA/);
    expect(stdout).toContain(peer.url);
    expect((await runCli(["relays", "--catalog", catalog.url], { columns: 60 })).stdout).toContain(
      `via ${peer.url}`,
    );
    expect(JSON.parse((await cli("relays", "--json")).stdout).relays[0].via).toBe(peer.url);
    const overMcp = await cli("peer", "list", "--json", "--transport", "mcp");
    expect(JSON.parse(overMcp.stdout).peers[0].url).toBe(peer.url);
    expect((await asAdmin("peer", "add", peer.url, "--transport", "mcp")).code).toBe(2);

    expect(await asAdmin("peer", "rm", `${peer.url}/`)).toMatchObject({
      code: 0,
      stdout: `✓ removed ${peer.url}\n`,
    });
    expect((await asAdmin("peer", "rm", peer.url)).code).toBe(5);
    expect((await cli("show", id)).stdout).toContain(`learned via ${peer.url}`);
  });

  it("says which peer could not be read, and why, with exit code 1", async () => {
    await using bad = await startFakePeer({
      answer(_url, response) {
        response.writeHead(200).end("<html>\u001b[31m</html>");
        return true;
      },
    });
    await asAdmin("peer", "add", bad.url);
    const { code, stdout, stderr } = await asAdmin("peer", "sync");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "0 relays learned from 1 peer.\n" });
    expect(stderr).toContain(`✗ ${bad.url}: its answer has no list of relays`);
    expect((await cli("peer", "list")).stdout).toContain("no list of relays");
    expect(JSON.parse((await asAdmin("peer", "sync", "--json")).stdout)).toMatchObject({
      peers: 1,
      learned: 0,
      failed: [{ url: bad.url }],
    });
    await asAdmin("peer", "rm", bad.url);
  });

  it.each([
    [[], "Name what to do"],
    [["lst"], "Did you mean list?"],
    [["add"], "Missing required argument 'url'"],
    [["add", "ftp://x", "--token", "sesame"], "http or https"],
  ])("%j exits with 2 and says what would do", async (argv, words) => {
    const { code, stderr } = await cli("peer", ...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
