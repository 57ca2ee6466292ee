/** Completion: made from the commands, valid in its shell, and helpful when Tab is pressed. */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { json, record, startFakeCatalog } from "../client/fake-catalog.ts";
import { runCli } from "./run-cli.ts";

const execute = promisify(execFile);

const script = async (shell: string) => (await runCli(["completion", shell])).stdout;

/** What bash offers for the words typed so far; `openmcp` itself is a stub that knows two ids. */
async function offered(...words: string[]): Promise<string[]> {
  const source = `${await script("bash")}
openmcp() { if [ "$1 $2" = "completion --ids" ]; then printf 'a.example\\nb.example\\n'; fi; }
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
_openmcp
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await execute("bash", ["--norc", "-c", source]);
  return stdout.split("\n").filter((line) => line !== "");
}

describe("bash", () => {
  it("offers commands, options, choices and ids where they belong", async () => {
    expect(await offered("openmcp", "re")).toEqual(["relays", "refresh", "restore"]);
    expect(await offered("openmcp", "")).toEqual(expect.arrayContaining(commands.map(({ name }) => name)));
    expect(await offered("openmcp", "relays", "--ver")).toEqual(["--verified", "--version"]);
    expect(await offered("openmcp", "relays", "--auth", "b")).toEqual(["bearer"]);
    expect(await offered("openmcp", "--transport", "")).toEqual(["rest", "mcp"]);
    expect(await offered("openmcp", "--catalog", "http://x", "show", "")).toEqual(["a.example", "b.example"]);
    expect(await offered("openmcp", "call", "b")).toEqual(["b.example"]);
    expect(await offered("openmcp", "call", "b.example", "")).toEqual([]);
    expect(await offered("openmcp", "completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(await offered("openmcp", "help", "comp")).toEqual(["completion"]);
    expect(await offered("openmcp", "install", "a")).toEqual(["a.example"]);
    expect(await offered("openmcp", "install", "a.example", "--client", "cl")).toEqual([
      "claude-desktop",
      "claude-code",
    ]);
    expect(await offered("openmcp", "export", "--format", "vs")).toEqual(["vscode"]);
  });

  it("knows the commands within a command", async () => {
    expect(await offered("openmcp", "webhook", "l")).toEqual(["listen"]);
    expect(await offered("openmcp", "webhook", "listen", "--no")).toEqual(["--no-subscribe", "--no-color"]);
    expect(await offered("openmcp", "import", "registry", "--dry")).toEqual(["--dry-run"]);
    expect(await offered("openmcp", "openapi", "print", "b")).toEqual(["b.example"]);
    expect(await offered("openmcp", "openapi", "print", "b.example", "")).toEqual([]);
    expect(await offered("openmcp", "webhook", "test", "")).toEqual([]);
  });
});

describe.each(["zsh", "fish"])("%s", (shell) => {
  it.skipIf(spawnSync(shell, ["--version"]).error !== undefined)("is read by the shell itself", async () => {
    await execute(shell, ["-n", "-c", await script(shell)]);
  });

  it("knows every command and is stable text", async () => {
    const text = await script(shell);
    for (const { name } of commands) expect(text).toContain(name);
    expect(text).toMatchSnapshot();
  });
});

describe("ids", () => {
  it("come one a line, only such as no shell can mistake, and never as an error", async () => {
    const relays = [record("a.example"), record("$(touch pwned)"), record("x;y"), record("b-2.example")];
    await using catalog = await startFakeCatalog(json({ ok: true, relays }));
    expect(await runCli(["completion", "--ids", "--catalog", catalog.base])).toEqual({
      code: 0,
      stdout: "a.example\nb-2.example\n",
      stderr: "",
    });
    await using broken = await startFakeCatalog(json("nothing of a catalog's"));
    expect(await runCli(["completion", "--ids", "--catalog", broken.base])).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });
});
