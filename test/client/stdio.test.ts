/** Servers that are commands: `openmcp/client/stdio` on processes of both of the official SDK's generations, and on broken ones. */
import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ConnectError, isConnectError, unwrap } from "../../src/client/index.ts";
import { type CommandTarget, connect, open } from "../../src/client/stdio/index.ts";
import { verifies } from "../requirements.ts";

const server = fileURLToPath(new URL("asking-process.ts", import.meta.url));
const asking = (generation: 1 | 2, env: Record<string, string> = {}): CommandTarget => ({
  command: process.execPath,
  args: [server, String(generation), "stdio"],
  env: { NODE_NO_WARNINGS: "1", ...env },
});
const script = (code: string): CommandTarget => ({ command: process.execPath, args: ["-e", code] });

const failure = (promise: Promise<unknown>): Promise<ConnectError> =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error) => error as ConnectError,
  );

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-stdio-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each([
  [1, "legacy", "2025-11-25"],
  [2, "modern", "2026-07-28"],
] as const)("a process of the SDK %s.x", (generation, era, protocolVersion) => {
  it(
    "is ready in one call, its values plain",
    verifies("connect.one-call", "connect.ready-values"),
    async () => {
      await using client = await connect(asking(generation), { name: "test", version: "1.0.0" });
      expect(client).toMatchObject({ era, protocolVersion, serverInfo: { name: `asking-${generation}` } });
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("add");
      const called = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
      expect(called.content).toEqual([{ type: "text", text: "3" }]);
    },
  );

  it(
    "asks back, tells its progress, and is ended on the wire",
    verifies("connect.contract", "connect.cancels"),
    async () => {
      const path = join(folder, `record-${generation}`);
      await using client = await connect(asking(generation, { RECORD: path }), {
        capabilities: { elicitation: {} },
        handlers: { elicitation: ({ message }) => ({ action: "accept", content: { size: message.length } }) },
      });
      const asked = await client.callTool({ name: "ask" });
      expect(asked.content).toEqual([{ type: "text", text: 'accept {"size":10}' }]);
      const steps: number[] = [];
      await client.callTool({ name: "steps" }, { onProgress: ({ progress }) => steps.push(progress) });
      expect(steps).toEqual([1, 2, 3]);
      const stop = new AbortController();
      const hanging = failure(client.callTool({ name: "hang" }, { signal: stop.signal }));
      await vi.waitFor(async () => expect(await readFile(path, "utf8")).toContain("hang"));
      stop.abort();
      expect(await hanging).toMatchObject({ stage: "aborted", code: "aborted" });
      await vi.waitFor(async () => expect(await readFile(path, "utf8")).toContain("cancelled"));
      expect(await failure(client.callTool({ name: "hang" }, { timeoutMs: 50 }))).toMatchObject({
        stage: "timeout",
      });
    },
  );

  it(
    "gives a tool's failure as a result, and throws it when asked",
    verifies("connect.tool-failure"),
    async () => {
      await using client = await connect(asking(generation));
      const failed = await client.callTool({ name: "fail" });
      expect(failed.isError).toBe(true);
      expect(() => unwrap(failed)).toThrow("It broke.");
      expect(await failure(client.request({ method: "no/such" }))).toMatchObject({
        stage: "remote",
        data: { method: "no/such", rpc: { code: -32601 } },
      });
      expect(await failure(client.listPrompts())).toMatchObject({
        stage: "capability",
        code: "invalid-input",
      });
    },
  );

  it("is closed by the end of its input, once", verifies("connect.close-process"), async () => {
    const path = join(folder, `closed-${generation}`);
    const client = await connect(asking(generation, { RECORD: path }));
    const hanging = failure(client.callTool({ name: "hang" }));
    await vi.waitFor(async () => expect(await readFile(path, "utf8")).toContain("hang"));
    await Promise.all([client.close(), client.close()]);
    expect(await hanging).toMatchObject({ stage: "closed" });
    await vi.waitFor(async () => expect((await readFile(path, "utf8")).trim()).toMatch(/exit$/));
    expect(await failure(client.listTools())).toMatchObject({ stage: "closed" });
  });
});

describe("in two steps", () => {
  it("initializes once, with the version that is asked for", verifies("connect.two-steps"), async () => {
    await using opened = await open(asking(1));
    const client = await opened.initialize(
      { name: "mine", version: "1.0.0" },
      { protocolVersion: "2025-06-18" },
    );
    expect(client).toMatchObject({ protocolVersion: "2025-06-18", era: "legacy" });
    await expect(opened.initialize({ name: "mine", version: "1.0.0" })).rejects.toThrow(TypeError);
  });

  it("takes the streams of a process that somebody else started", verifies("connect.two-steps"), async () => {
    const child = spawn(process.execPath, [server, "2", "stdio"], { stdio: ["pipe", "pipe", "ignore"] });
    await using opened = await open({ output: child.stdout, input: child.stdin });
    await using client = await opened.initialize({ name: "mine", version: "1.0.0" });
    expect(client.era).toBe("modern");
    expect((await client.listTools()).tools).not.toEqual([]);
  });

  it(
    "refuses what is no target, no name and no contract before anything starts",
    verifies("connect.build-errors"),
    async () => {
      await expect(connect({ command: " " })).rejects.toThrow(TypeError);
      await expect(connect(undefined as never)).rejects.toThrow(TypeError);
      await using opened = await open(asking(1));
      await expect(opened.initialize({ name: "", version: "1" })).rejects.toThrow("who it is");
      await expect(connect(asking(1), { capabilities: { sampling: {} } })).rejects.toThrow(
        "nobody answers it",
      );
      await expect(connect(asking(1), { handlers: { roots: () => ({ roots: [] }) } })).rejects.toThrow(
        "declare it",
      );
    },
  );
});

describe("a broken command", () => {
  it("that is not there or may not be run says what to do", verifies("connect.errors"), async () => {
    const missing = await failure(connect({ command: "no-such-server-here" }));
    expect(missing).toMatchObject({ stage: "connect/transport", data: { reason: "ENOENT" } });
    expect(missing.message).toContain("absolute path");
    const path = join(folder, "not-executable");
    await writeFile(path, "#!/bin/sh\n");
    await chmod(path, 0o644);
    const refused = await failure(connect({ command: path }));
    expect(refused).toMatchObject({ stage: "connect/transport", data: { reason: "EACCES" } });
    expect(refused.message).toContain("chmod +x");
    expect((await failure(connect({ command: process.execPath, cwd: "/no/such/folder" }))).message).toContain(
      "folder",
    );
  });

  it("that ends early is told with its code and last words", verifies("connect.errors"), async () => {
    const ended = await failure(connect(script('console.error("no key given"); process.exit(3)')));
    expect(ended).toMatchObject({
      stage: "connect/closed",
      data: { exit: { code: 3 }, stderr: "no key given\n" },
    });
    expect(ended.message).toContain('It exited with 3. Its last words: "no key given".');
    expect(isConnectError(ended, "connect/closed")).toBe(true);
  });

  it("that dies under a call is told with its code", verifies("connect.errors"), async () => {
    await using client = await connect(asking(1));
    expect(await failure(client.callTool({ name: "die" }))).toMatchObject({
      stage: "closed",
      data: { method: "tools/call", exit: { code: 7 } },
    });
  });

  it("that says nothing runs out of time; a stray line is named", verifies("connect.errors"), async () => {
    const stray = script('console.log("Server started!"); process.stdin.resume()');
    const late = await failure(connect(stray, { timeoutMs: 700 }));
    expect(late).toMatchObject({
      stage: "connect/timeout",
      code: "relay-timeout",
      data: { stray: "Server started!" },
    });
    expect(late.message).toContain("standard output, which is the protocol's");
    const stop = AbortSignal.abort();
    expect(await failure(connect(script("process.stdin.resume()"), { signal: stop }))).toMatchObject({
      stage: "aborted",
    });
  });

  it(
    "that answers the handshake with an error, nonsense or another version is told apart",
    verifies("connect.errors"),
    async () => {
      const answering = (answer: string) =>
        script(
          `require("readline").createInterface({ input: process.stdin }).on("line", (line) => { const { id, method } = JSON.parse(line); if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(method === "initialize" ? ${answer} : { error: { code: -32601, message: "no" } }) })) })`,
        );
      expect(
        await failure(connect(answering('{ error: { code: -32000, message: "not today" } }'))),
      ).toMatchObject({
        stage: "connect/initialize",
        data: { rpc: { code: -32000, message: "not today" } },
      });
      expect(await failure(connect(answering("{ result: { hello: 1 } }")))).toMatchObject({
        stage: "connect/decode",
      });
      const version =
        '{ result: { protocolVersion: "1999-01-01", capabilities: {}, serverInfo: { name: "a", version: "1" } } }';
      expect(await failure(connect(answering(version)))).toMatchObject({
        stage: "connect/version",
        data: { offered: ["1999-01-01"] },
      });
    },
  );

  it(
    "that ends at the newer era's first request is started again, and spoken to in the older",
    verifies("connect.eras"),
    async () => {
      const strict = script(`
      require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        if (method === "initialize") console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "old", version: "1" } } }));
        else if (method === "server/discover") process.exit(1);
      });`);
      await using client = await connect(strict);
      expect(client).toMatchObject({
        era: "legacy",
        protocolVersion: "2025-06-18",
        serverInfo: { name: "old" },
      });
    },
  );
});

it(
  "keeps standard error for errors, or gives it to whoever wants it",
  verifies("connect.stderr"),
  async () => {
    const heard: string[] = [];
    const noisy: CommandTarget = {
      ...asking(1),
      args: [
        "-e",
        `console.error("hello"); process.argv[2] = "1"; import(${JSON.stringify(server)})`,
        "x",
        "1",
        "stdio",
      ],
    };
    await using client = await connect(noisy, { stderr: (text) => heard.push(text) });
    expect(client.serverInfo?.name).toBe("asking-1");
    expect(heard.join("")).toContain("hello");
  },
);
