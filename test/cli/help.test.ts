/** Help is part of the surface: its words are kept, and every page and command agree. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { runCli } from "./run-cli.ts";

describe("help", () => {
  it("of openmcp alone is friendly, and no failure", async () => {
    const { code, stdout, stderr } = await runCli([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatchSnapshot();
    expect((await runCli(["--help"])).stdout).toBe(stdout);
    expect((await runCli(["help"])).stdout).toBe(stdout);
  });

  it.each(commands.map(({ name }) => name))("of %s", async (name) => {
    const { code, stdout } = await runCli([name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatchSnapshot();
    expect((await runCli(["help", name])).stdout).toBe(stdout);
    expect(stdout.split("\n").filter((line) => line.length > 120)).toEqual([]);
  });

  it("fits a narrow terminal, and has colour on it", async () => {
    const { stdout } = await runCli(["relays", "--help"], { columns: 50 });
    expect(stdout).toContain("\u001b[");
    expect((await runCli(["relays", "--help", "--no-color"], { columns: 50 })).stdout).not.toContain(
      "\u001b[",
    );
  });

  it("knows every command that docs/cli.md has a heading for", async () => {
    const page = await readFile(new URL("../../docs/cli.md", import.meta.url), "utf8");
    const headings = [...page.matchAll(/^## ([a-z]+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(commands.map(({ name }) => name));
  });
});

describe("what is not of its form", () => {
  it.each([
    [["relay"], "Unknown command 'relay'. Did you mean relays?"],
    [["relay"], "`openmcp --help` lists the commands."],
    [["help", "relay"], "Unknown command 'relay'. Did you mean relays?"],
    [["show"], "Missing required argument 'id'."],
    [["find"], "Missing required argument 'words'."],
    [["find"], "`openmcp find --help` shows how it is used."],
    [["peer"], "`openmcp peer --help` shows how it is used."],
    [["-c", "ftp://x", "relays"], "A catalog is an http or https URL"],
    [["relays", "--onlin"], "Unknown option '--onlin'. Did you mean --online?"],
    [["relays", "--limit", "0"], "Give a whole number from 1 to 500."],
    [["relays", "--limit", "abc"], "Give a whole number from 1 to 500."],
    [["relays", "--online", "--offline"], "cannot be used with"],
    [["relays", "--auth", "magic"], "Allowed choices are none, bearer, oauth, api-key, unknown."],
    [["relays", "--transport", "smoke"], "Allowed choices are rest, mcp."],
    [["relays", "--timeout", "soon"], "Give a duration such as 10s, 500ms or 2m."],
    [["relays", "--catalog", "ftp://x"], "A catalog is an http or https URL"],
    [["rm", "..", "--token", "x"], "is not a relay's id"],
    [["add"], "Name a URL"],
    [["add", "--file", "/no/such/file"], "The list can't be read"],
    [["install", "x"], "Required option '--client <names>' not specified. Choose from claude-desktop, "],
    [["uninstall", "x", "--client"], "argument missing. Choose from claude-desktop, "],
    [["export"], "not specified. Choose from openmcp, ai-catalog, "],
    [["completion"], "Name a shell"],
    [["completion", "tcsh"], "Argument 'tcsh' is invalid for <shell>. Allowed choices are bash, zsh, fish."],
    [["probe", "ftp://x.example"], "http"],
  ])("%j exits with 2 and says what would do", async (argv, words) => {
    const { code, stdout, stderr } = await runCli(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
    expect(stderr.startsWith("✗ ")).toBe(true);
    const json = await runCli([...argv, "--json"]);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stderr)).toMatchObject({ ok: false, code: "invalid-input", exitCode: 2 });
  });
});
