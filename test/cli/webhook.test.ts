/** `openmcp webhook` against a real catalog, and its receiver as a process that a person ends with Ctrl-C. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CatalogClient } from "../../src/client/index.ts";
import { sign } from "../../src/spec/index.ts";
import { startReceiver } from "../catalog/receiver.ts";
import { type Scene, startScene } from "../client/real-catalog.ts";
import { type RunOptions, runCli, startCli } from "./run-cli.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene?.[Symbol.asyncDispose]());

const cli = (argv: readonly string[], options?: RunOptions) =>
  runCli(["webhook", ...argv, "--catalog", scene.url], options);

async function answer(argv: readonly string[], options?: RunOptions) {
  const { stdout, stderr } = await cli([...argv, "--json"], options);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

describe("a subscription", () => {
  it("is made, tested, shown, delivered again and removed", async () => {
    await using receiver = await startReceiver();
    const made = await cli([
      "add",
      `${receiver.url}/hook`,
      "-e",
      "relay.offline",
      "-e",
      "relay.online",
      "-r",
      "a.example",
    ]);
    expect(made).toMatchObject({ code: 0 });
    const id = /^ {2}Id +(\S+)$/m.exec(made.stdout)?.[1] ?? "";
    const secret = /^ {2}Secret +(\S+)$/m.exec(made.stdout)?.[1] ?? "";
    expect(made.stdout).toMatch(/Events +relay.online, relay.offline\n +Relays +a.example/);
    expect(made.stderr).toContain("once");

    expect(await cli(["test", id])).toMatchObject({ code: 0, stdout: "✓ delivered (204)\n" });
    const [received] = receiver.all;
    expect(received !== undefined && (await receiver.verified(received, secret))).toBe(true);

    const shown = await cli(["show", id]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("✓ active");
    expect(shown.stdout).toMatch(/✓ delivered +webhook.test/);
    expect(shown.stdout).not.toContain(secret);
    const { deliveries } = await answer(["show", id]);
    expect(deliveries).toMatchObject([{ id: received?.delivery, state: "delivered" }]);

    expect((await cli(["redeliver", id, deliveries[0].id])).code).toBe(0);
    receiver.answers(() => 500);
    const failed = await cli(["test", id]);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stdout).toBe("… waiting: the receiver answered 500; the catalog tries again\n");

    expect(await answer(["rm", id])).toEqual({ removed: true });
    const gone = await cli(["show", id]);
    expect(gone.code).toBe(5);
    expect(gone.stderr).toContain("No such subscription");
    expect(gone.stderr).not.toContain("openmcp relays");
  });

  it("is refused with the field's name", async () => {
    const refused = await cli(["add", "http://you.example/"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("https");
    expect((await cli(["add", "https://you.example/", "-e", "relay.exploded"])).stderr).toContain(
      "relay.offline",
    );
  });
});

describe("verify", () => {
  it("says whether a saved body is the one that was signed, and what is commonly wrong", async () => {
    const folder = await mkdtemp(join(tmpdir(), "openmcp-verify-"));
    try {
      const file = join(folder, "body.json");
      const body = '{"id":"d","event":"relay.online","at":"2026-09-12T18:00:00.000Z","relay":{"id":"a"}}';
      const signature = await sign("s3cret", body);
      await writeFile(file, body);
      const verify = (given: string, secret: string, options?: RunOptions) =>
        runCli(["webhook", "verify", given, "--signature", signature, "--secret", secret], options);
      expect(await verify(file, "s3cret")).toEqual({
        code: 0,
        stdout: "✓ The signature fits.\n",
        stderr: "",
      });
      expect(await verify("-", "s3cret", { stdin: body })).toMatchObject({ code: 0 });
      expect(await verify(file, "another")).toEqual({
        code: 1,
        stdout: "✗ The signature does not fit.\n",
        stderr: "",
      });
      await writeFile(file, `${body}\n`);
      const ended = await verify(file, "s3cret");
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain("line break");
      const environment = await runCli(["webhook", "verify", "-", "--signature", signature, "--json"], {
        stdin: body,
        env: { OPENMCP_WEBHOOK_SECRET: "s3cret" },
      });
      expect(JSON.parse(environment.stdout)).toEqual({ verified: true });
      expect((await runCli(["webhook", "verify", file, "--signature", "x"])).stderr).toContain(
        "OPENMCP_WEBHOOK_SECRET",
      );
      expect((await verify(join(folder, "none"), "s")).code).toBe(2);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("listen", () => {
  it("subscribes itself, prints what verifies, and unsubscribes at Ctrl-C", async () => {
    const listening = startCli(["webhook", "listen", "--catalog", scene.url]);
    let out = "";
    let err = "";
    const seen = (read: () => string, words: RegExp): Promise<string> =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = words.exec(read());
          if (found !== null) resolve(found[1] ?? "");
        };
        listening.stdout?.on("data", look);
        listening.stderr?.on("data", look);
        look();
      });
    listening.stdout?.on("data", (part: Buffer) => {
      out += part;
    });
    listening.stderr?.on("data", (part: Buffer) => {
      err += part;
    });
    const ended = once(listening, "close");
    const url = await seen(() => err, /Listening at (\S+);/);
    const id = await seen(() => err, /Subscribed as (\S+)\./);
    await using catalog = new CatalogClient(scene.url);
    await catalog.register(scene.weather.url);
    await seen(() => out, /(relay\.registered)/);
    expect(out).toMatch(
      /^\d\d:\d\d:\d\d relay\.registered +127\.0\.0\.1-\d+ {2}[0-9a-f-]{36}\.[0-9a-f]{16}\n$/,
    );
    const forged = await fetch(url, {
      method: "POST",
      body: "{}",
      headers: { "x-openmcp-signature": "sha256=00" },
    });
    expect(forged.status).toBe(401);
    await seen(() => err, /(signature does not fit)/);
    listening.kill("SIGINT");
    expect((await ended)[0]).toBe(130);
    expect(err).toContain("Unsubscribed.");
    await expect(catalog.webhook(id)).rejects.toMatchObject({ code: "not-found" });
  });

  it("prints a line of JSON each, and ends after so many", async () => {
    const listening = startCli([
      "webhook",
      "listen",
      "--json",
      "--count",
      "2",
      "--event",
      "relay.removed",
      "--catalog",
      scene.url,
    ]);
    let out = "";
    listening.stdout?.on("data", (part: Buffer) => {
      out += part;
    });
    const ended = once(listening, "close");
    await using catalog = new CatalogClient(scene.url, { token: "sesame" });
    // It says nothing before the first delivery; until it has subscribed, nobody is told.
    const { relay } = await catalog.register(scene.sums.url);
    while (listening.exitCode === null) {
      await catalog.remove(relay.id);
      await catalog.register(scene.sums.url);
    }
    const [code] = await ended;
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ event: "relay.removed", relay: { id: expect.any(String) } });
    expect(lines[0].relay).toEqual({ id: lines[0].relay.id });
  });

  it("without a subscription of its own wants the secret of yours", async () => {
    const ended = await cli(["listen", "--no-subscribe"]);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining("--secret")]);
  });
});
