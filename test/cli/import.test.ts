/** `openmcp import` against a real catalog and a registry on loopback, for people and for machines. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { relayRecord } from "../../src/cli/format/relay-record.ts";
import { createStyle } from "../../src/cli/terminal/style.ts";
import { parseServeOptions, type RunningCatalog, startCatalog } from "../../src/server/index.ts";
import { type RelayRecord, relayId } from "../../src/spec/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { entryAt, type FakeRegistry, startFakeRegistry } from "../imports/fake-registry.ts";
import { verifies } from "../requirements.ts";
import { endOf, runCli, startCli } from "./run-cli.ts";

let catalog: RunningCatalog;
let relay: FakeRelay;
let registry: FakeRegistry;
let folder: string;
const never = new Promise<never>(() => {});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-import-cli-"));
  relay = await startFakeRelay({ descriptor: { mcp: "/mcp", name: "Weather" } });
  registry = await startFakeRegistry({
    count: 250,
    entry: (index) => entryAt(`x/${index}`, index < 3 ? ["https://s.fleet.dev/mcp"] : []),
  });
  const options = { port: 0, db: ":memory:", refresh: "off", peerSync: "off", logLevel: "silent" };
  catalog = await startCatalog(
    parseServeOptions({ ...options, registry: registry.url, adminToken: "sesame" }),
  );
});
afterAll(async () => {
  await catalog?.close();
  await registry?.close();
  await relay?.close();
  await rm(folder, { recursive: true });
});

async function serveJson(documents: Readonly<Record<string, object>>) {
  const server = createServer((request, response) => {
    const found = documents[request.url ?? ""];
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const cli = (...argv: readonly string[]) => runCli([...argv, "--catalog", catalog.url]);
const asAdmin = (...argv: readonly string[]) => cli(...argv, "--token", "sesame");

describe("import registry", () => {
  it("reads the catalog's registry, and says what there is in it", async () => {
    const { code, stdout } = await asAdmin("import", "registry", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toContain(`✓ Read only, with nothing listed: ${registry.url}`);
    expect(stdout).toMatch(/Entries +250 read in 3 documents/);
    expect(stdout).toMatch(/Taken +1 URL; 2 further entries for the same/);
    expect(stdout).toMatch(/Skipped +247: 247 for one's own machine/);
    const { job } = JSON.parse(
      (await asAdmin("import", "registry", "--dry-run", "--json", "--limit", "1")).stdout,
    );
    expect(job).toMatchObject({ state: "done", dryRun: true, limit: 1, report: { taken: 1 } });
    const results = await asAdmin("import", "show", job.id, "--results");
    expect(results.stdout).toContain("- https://s.fleet.dev/mcp  (x/0)");
    const lines = (await asAdmin("import", "show", job.id, "--results", "--json")).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ outcome: "taken", names: ["x/0"] }]);
    expect((await asAdmin("import", "list")).stdout).toMatch(/done +1 +dry run +http/);
  });

  it(
    "is the admin's, over REST alone, and says by its exit code how it went",
    verifies("import.route"),
    async () => {
      expect((await cli("import", "registry")).code).toBe(4);
      expect((await asAdmin("import", "registry", "--transport", "mcp")).code).toBe(2);
      expect((await asAdmin("import", "registry", "--since", "soon")).stderr).toContain(
        "Give a date such as",
      );
      expect((await asAdmin("import", "show", "none")).code).toBe(5);
      const wrong = await asAdmin("import", "registry", "--from", relay.origin);
      expect(wrong.code).toBe(1);
      expect(wrong.stdout).toContain("Give the base URL of an MCP registry.");
      const response = await fetch(`${catalog.url}/v1/import`, {
        method: "POST",
        headers: { authorization: "Bearer sesame", "content-type": "application/json" },
        body: JSON.stringify({ from: "registry", dryRun: true }),
      });
      const body = (await response.json()) as { job: string; poll: string };
      expect(response.status).toBe(202);
      expect(response.headers.get("location")).toBe(body.poll);
      expect(body).toMatchObject({ ok: true, poll: `${catalog.url}/v1/import/${body.job}`, rejected: [] });
      for (const path of ["/v1/import", `/v1/import/${body.job}`, `/v1/import/${body.job}/results`]) {
        expect((await fetch(`${catalog.url}${path}`)).status).toBe(401);
        expect(
          (await fetch(`${catalog.url}${path}`, { headers: { authorization: "Bearer sesame" } })).status,
        ).toBe(200);
      }
    },
  );

  it("goes on when the one who waits goes away, says how to look again, and can be ended", async () => {
    const held = Promise.withResolvers<void>();
    registry.update({
      answer({ offset }) {
        if (offset !== 100) return false;
        held.resolve();
        return never;
      },
    });
    const child = startCli(["import", "registry", "--catalog", catalog.url], {
      env: { OPENMCP_TOKEN: "sesame" },
    });
    const ended = endOf(child);
    const told = new Promise<void>((resolve) => {
      child.stderr?.on("data", (part) => String(part).includes("takes it as job") && resolve());
    });
    await Promise.all([held.promise, told]);
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    const job = /openmcp import show (\S+) --wait/.exec(stderr)?.[1] as string;
    expect((await asAdmin("import", "show", job)).stdout).toMatch(/^… Reading http/);
    expect((await asAdmin("import", "registry")).stderr).toContain(`is under way: job ${job}`);
    const cancelled = await asAdmin("import", "cancel", job);
    expect(cancelled).toMatchObject({ code: 0, stdout: expect.stringContaining("✗ Cancelled:") });
    expect((await asAdmin("import", "show", job, "--wait")).code).toBe(1);
    registry.update({ answer: () => false });
  });
});

describe("import ai-catalog", () => {
  it("takes servers of its own network from a document that lies there, as add does", async () => {
    await using other = await startFakeRelay({ descriptor: { mcp: "/mcp", name: "Near" } });
    const card = {
      name: "dev.fleet/near",
      version: "1.0.0",
      description: "Near.",
      remotes: [{ type: "streamable-http", url: other.url }],
    };
    await using publisher = await serveJson({
      "/.well-known/ai-catalog.json": {
        specVersion: "1.0",
        entries: [
          {
            identifier: "urn:air:fleet.dev:near",
            type: "application/mcp-server-card+json",
            url: "/near.json",
          },
        ],
      },
      "/near.json": card,
    });
    const done = await asAdmin("import", "ai-catalog", publisher.url);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining("✓ Imported") });
    expect(done.stdout).toMatch(/Listed +1 new/);
  });

  it("says that nothing could be taken where it says no", async () => {
    await using publisher = await serveJson({
      "/.well-known/ai-catalog.json": { specVersion: "1.0", entries: [] },
    });
    const done = await asAdmin("import", "ai-catalog", publisher.url);
    expect(done).toMatchObject({ code: 1, stdout: expect.stringContaining("✗ Nothing could be taken from") });
  });
});

describe("import file", () => {
  it(
    "lists the servers of a configuration, and tells no key of it",
    verifies("import.file", "import.file-secrets"),
    async () => {
      const path = join(folder, "claude_desktop_config.json");
      await writeFile(
        path,
        JSON.stringify({
          mcpServers: {
            weather: { url: `${relay.url}?key=s3cret`, headers: { Authorization: "Bearer s3cret" } },
            files: { command: "npx", args: ["server-filesystem"], env: { KEY: "s3cret" } },
            mine: { url: "https://mcp.fleet.dev/0f8fad5b-d9cb-469f-a165-70867728950e/mcp" },
          },
        }),
      );
      const { code, stdout, stderr } = await asAdmin("import", "file", path);
      expect(code).toBe(0);
      expect(stdout).toContain("✓ Imported the list");
      expect(stdout).toMatch(/Listed +1 new, 0 known already/);
      expect(stderr).toContain(`weather  ${relay.url}  (without its query`);
      expect(stderr).toContain("- files  runs on this machine");
      expect(stderr).toContain("- mine  has what looks like a key");
      expect(`${stdout}${stderr}`).not.toMatch(/s3cret|0f8fad5b/);
      expect(relay.requests.map(({ path: asked }) => asked).join()).not.toContain("s3cret");
      expect((await cli("relays")).stdout).toContain("Weather");
      const again = JSON.parse((await asAdmin("import", "file", path, "--json")).stdout);
      expect(again).toMatchObject({ job: { report: { known: 1 } }, skipped: { local: 1, personal: 1 } });
    },
  );

  it("says of an import that there is none where its imports are listed", async () => {
    for (const verb of ["show", "cancel"]) {
      const { code, stderr } = await asAdmin("import", verb, "none");
      expect({ code, cure: stderr.split("\n")[1]?.trim() }).toEqual({
        code: 5,
        cure: "`openmcp import list` lists the imports.",
      });
    }
  });

  it("takes a list from standard input, and says when there is nothing in a file", async () => {
    const list = await runCli(["import", "file", "-", "--catalog", catalog.url, "--token", "sesame"], {
      stdin: `# mine\n${relay.url}\nnot a url\n`,
    });
    expect(list.code).toBe(1);
    expect(list.stdout).toContain("✗ Imported, and not all of it: the list");
    expect(list.stdout).toMatch(/Refused +1 line\n/);
    expect(list.stdout).toMatch(/Listed +0 new, 1 known already/);
    expect(list.stderr).toContain("- line 3  has no http or https address, and was not sent");
    const path = join(folder, "stdio.json");
    await writeFile(path, '{"servers": {"a": {"command": "x"}}}');
    expect(await asAdmin("import", "file", path)).toMatchObject({
      code: 1,
      stdout: "Nothing in it can be listed.\n",
    });
    expect((await asAdmin("import", "file", join(folder, "none.json"))).stderr).toContain("can't be read");
  });
});

it("show names what imported lists call a relay, a line for each list", async () => {
  const answer = await fetch(`${catalog.url}/v1/relays/${relayId(relay.url)}`);
  const { relay: record } = (await answer.json()) as { readonly relay: RelayRecord };
  const at = record.firstSeenAt;
  const claims = [
    { name: "x/a\u001b[31m", version: "1", source: "https://one.example", at },
    { name: "x/b", version: null, source: "https://one.example", at },
    { name: "y/c", version: "2", source: "https://two.example", at },
  ];
  const text = relayRecord(record, { style: createStyle(false), width: 100, now: Date.parse(at), claims });
  expect(text).toMatch(/Named +x\/a, x\/b in https:\/\/one\.example\n +y\/c in https:\/\/two\.example/);
  expect((await cli("show", record.id)).stdout).not.toContain("Named");
});
