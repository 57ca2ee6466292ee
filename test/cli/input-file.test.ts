/** Files that a command is given: a device without an end, a folder, a pipe, and bytes that are no text. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-input-"));
});
afterAll(() => rm(folder, { recursive: true }));

const verify = ["webhook", "verify", "--signature", `sha256=${"0".repeat(64)}`, "--secret", "s"];
const commands: readonly (readonly [string, readonly string[]])[] = [
  ["add", ["add", "--file"]],
  ["import file", ["import", "file"]],
  ["lint", ["lint"]],
  ["webhook verify", verify],
];

describe.each(commands)("%s", (_name, argv) => {
  it.skipIf(process.platform === "win32")("reads no device to its end, which has none", async () => {
    expect(await runCli([...argv, "/dev/zero"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"/dev/zero" is over 16 MiB'),
    });
  });

  it("says that a folder is one", async () => {
    expect(await runCli([...argv, folder])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is a folder"),
    });
  });
});

it("a list that is no text in UTF-8 is refused before anybody is asked", async () => {
  const path = join(folder, "list.txt");
  for (const bytes of [
    Buffer.from("https://a.fleet.dev/mcp\n", "utf16le"),
    Buffer.from([0xff, 0xfe, 0x68, 0]),
  ]) {
    await writeFile(path, bytes);
    for (const argv of [
      ["add", "--file"],
      ["import", "file"],
    ]) {
      expect(await runCli([...argv, path])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("no text in UTF-8"),
      });
    }
  }
});

it.skipIf(process.platform === "win32")("a pipe is as good as a file", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const [ended] = await Promise.all([runCli(["lint", pipe]), writeFile(pipe, "{}")]);
  expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining("[unknown-document]") });
});
