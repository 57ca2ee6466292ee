/** Edits of configurations: one entry changes and every other byte stays, whatever the file looks like. */
import fc from "fast-check";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { diffConfig } from "../../src/desktop/edit/diff.ts";
import { editConfig } from "../../src/desktop/edit/edit.ts";
import { maskConfig } from "../../src/desktop/edit/mask.ts";
import type { JsonObject } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";

const entry: JsonObject = { command: "/usr/bin/node", args: ["/srv/a.js"], env: { KEY: "value" } };
const set = (text: string, value: JsonObject | undefined, format: "json" | "toml" = "json") =>
  editConfig(text, {
    format,
    changes: [{ path: [format === "json" ? "mcpServers" : "mcp_servers", "mine"], value }],
  });

const commented = `\uFEFF// Kept by hand.
{
    "theme": "dark", // not light
    /* servers */
    "mcpServers": {
        // the first
        "other": {
            "command": "/bin/other", // fast
            "args": [ "a",  "b" ],
        },
    },
    "last": [1,2 , 3]
}

`;

describe("JSON with comments", () => {
  it("keeps comments, order, indent, mark and trailing newline", verifies("install.one-entry"), () => {
    const edited = set(commented, entry);
    expect(edited).toBe(
      commented.replace(
        `        },
    },
    "last"`,
        `        },
        "mine": {
            "command": "/usr/bin/node",
            "args": [
                "/srv/a.js"
            ],
            "env": {
                "KEY": "value"
            }
        },
    },
    "last"`,
      ),
    );
    expect(set(edited, entry)).toBe(edited);
    expect(set(edited, undefined)).toBe(commented);
  });

  it(
    "changes of an entry only what differs, so that its comments stay",
    verifies("install.one-entry"),
    () => {
      const text = commented.replace('"other"', '"mine"');
      const edited = set(text, { command: "/bin/other", args: ["a", "c"], env: { K: "v" } });
      expect(edited).toContain('"command": "/bin/other", // fast');
      expect(edited).toContain("// the first");
      expect(parseJsonc(edited.slice(1)).mcpServers.mine).toEqual({
        command: "/bin/other",
        args: ["a", "c"],
        env: { K: "v" },
      });
    },
  );

  it.each([
    ["", '{\n  "mcpServers": {\n    "mine": {}\n  }\n}\n'],
    ["{}", '{\n  "mcpServers": {\n    "mine": {}\n  }\n}'],
    ['{"a":1}', '{"a":1,"mcpServers":{"mine":{}}}'],
    ['{ "a": 1 }', '{ "a": 1, "mcpServers": {"mine":{}} }'],
    ['{\r\n\t"a": 1\r\n}\r\n', '{\r\n\t"a": 1,\r\n\t"mcpServers": {\r\n\t\t"mine": {}\r\n\t}\r\n}\r\n'],
    [
      '{\n  "a": 1 // one\n  // end\n}',
      '{\n  "a": 1, // one\n  // end\n  "mcpServers": {\n    "mine": {}\n  }\n}',
    ],
    ["{ // nothing\n}", '{ // nothing\n  "mcpServers": {\n    "mine": {}\n  }\n}'],
    ['{"mcpServers": {}}', '{"mcpServers": {\n  "mine": {}\n}}'],
  ])("takes %j", (text, expected) => {
    expect(set(text, {})).toBe(expected);
  });

  it(
    "shows where a text is broken, and leaves a shape alone that has no room",
    verifies("install.unreadable"),
    () => {
      const broken = (text: string) => {
        try {
          return set(text, entry);
        } catch (error) {
          return error as Error;
        }
      };
      expect(broken('{\n  "a": 1\n  "b": 2\n}')).toMatchObject({ data: { line: 3, column: 3 } });
      expect(broken('{\n  "a": 1,')).toMatchObject({ code: "invalid-input", data: { line: 2 } });
      expect(broken("[]")).toMatchObject({ data: { line: 1, column: 1 } });
      expect(broken('{"mcpServers": []}')).toMatchObject({ message: expect.stringContaining("no object") });
      expect(broken('{"mcpServers": null}')).toMatchObject({ code: "invalid-input" });
    },
  );

  const filler = fc.constantFrom("", " ", "\n", "\n  ", " // note\n", " /* note */ ", "\r\n", "\t");
  const name = fc.constantFrom("a", "b", "theme", "other", "mcpServers", "x y", "ü", "\\u0061");
  const scalar = fc.constantFrom("1", "true", "null", '"text"', '"a // b"', "[1, 2]", "{}", '{"k": [1]}');
  const object = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .tuple(
        fc.uniqueArray(fc.tuple(name, filler, filler, value, filler), {
          maxLength: 4,
          selector: ([key]) => key,
        }),
        fc.boolean(),
        filler,
      )
      .map(([members, comma, inner]) => {
        const written = members.map(([key, a, b, held, c]) => `${a}"${key}"${b}:${held}${c}`).join(",");
        return `{${written}${comma && members.length > 0 ? "," : ""}${inner}}`;
      });
  const servers = object(fc.oneof(scalar, object(scalar)));
  const document = fc.tuple(filler, object(fc.oneof(scalar, servers)), filler).map((parts) => parts.join(""));

  it("in any document leaves every byte that is not the entry's", verifies("install.one-entry"), () => {
    fc.assert(
      fc.property(document, (text) => {
        const before = parseJsonc(text);
        const held = before.mcpServers;
        fc.pre(held === undefined || (typeof held === "object" && held !== null && !Array.isArray(held)));
        const edited = set(text, entry);
        expect(parseJsonc(edited)).toEqual({ ...before, mcpServers: { ...held, mine: entry } });
        // The old text is all there, in its order: only pieces were put between.
        expect(isWithin(text.replace(/\s+/g, ""), edited.replace(/\s+/g, ""))).toBe(true);
        for (const comment of text.match(/\/\/ note|\/\* note \*\//g) ?? [])
          expect(edited).toContain(comment);
        expect(edited.match(/note/g)?.length ?? 0).toBe(text.match(/note/g)?.length ?? 0);
        expect(set(edited, entry)).toBe(edited);
        const removed = set(edited, undefined);
        expect(parseJsonc(removed)).toEqual({ ...before, mcpServers: held ?? {} });
        expect(removed.match(/note/g)?.length ?? 0).toBe(text.match(/note/g)?.length ?? 0);
      }),
      { numRuns: 400 },
    );
  });

  it(
    "comes back to the same bytes when an entry is put in and taken out",
    verifies("install.one-entry"),
    () => {
      const member = fc.tuple(
        name.filter((key) => key !== "mcpServers"),
        scalar,
      );
      const layout = fc.constantFrom("\n", "\r\n");
      fc.assert(
        fc.property(
          fc.uniqueArray(member, { minLength: 1, maxLength: 4, selector: ([key]) => key }),
          layout,
          fc.boolean(),
          (members, eol, comma) => {
            const inner = members.map(([key, value]) => `${eol}    "${key}": ${value}`).join(",");
            const text = `{${eol}  "z": 0, // zero${eol}  "mcpServers": {${inner}${comma ? "," : ""}${eol}  }${eol}}${eol}`;
            expect(set(set(text, entry), undefined)).toBe(text);
          },
        ),
        { numRuns: 200 },
      );
    },
  );
});

/** True when all characters of `part` are in `whole`, in order. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (char === part[at]) at += 1;
  return at === part.length;
}

describe("TOML", () => {
  const text = `# Codex, by hand
model = "gpt" # the model

[mcp_servers.other] # mine too
command = "/bin/other"
args = [
  "a", # one
]

[mcp_servers.other.env]
KEY = "v"

# for the next one
[tools]
web_search = true
`;

  it("puts a table at the end and takes it out again, byte for byte", verifies("install.one-entry"), () => {
    const edited = set(text, entry, "toml");
    expect(edited).toBe(`${text}
[mcp_servers.mine]
command = "/usr/bin/node"
args = ["/srv/a.js"]
env = { KEY = "value" }
`);
    expect(set(edited, entry, "toml")).toBe(edited);
    expect(set(edited, undefined, "toml")).toBe(text);
  });

  it(
    "replaces a table with its sub-tables and leaves the comments round it",
    verifies("install.one-entry"),
    () => {
      const named = text
        .replaceAll("other]", "mine]")
        .replaceAll("other.env", "mine.env")
        .replace("command =", "# why\ncommand =");
      const edited = set(named, entry, "toml");
      expect(parseToml(edited)).toMatchObject({
        model: "gpt",
        mcp_servers: { mine: entry },
        tools: { web_search: true },
      });
      for (const comment of ["# Codex, by hand", "# the model", "# why", "# for the next one"]) {
        expect(edited).toContain(comment);
      }
      expect(set(named, undefined, "toml")).toBe(`# Codex, by hand
model = "gpt" # the model

# for the next one
[tools]
web_search = true
`);
    },
  );

  it("quotes what must be, and refuses what it can't edit or read", verifies("install.unreadable"), () => {
    const odd = {
      command: "C:\\Program Files\\node.exe",
      args: ['say "hi"', "\u007F", "ü"],
      env: { "A.B": "" },
    };
    expect(parseToml(set("", odd, "toml"))).toEqual({ mcp_servers: { mine: odd } });
    expect(() => set('mcp_servers = { mine = { command = "x" } }\n', entry, "toml")).toThrow("by hand");
    expect(() => set('[mcp_servers]\nmine.command = "x"\n', entry, "toml")).toThrow("by hand");
    expect(() => set('a = 1\nb = "\n', entry, "toml")).toThrow("line 2");
    const text = 'note = """\n[mcp_servers.mine]\n"""\n';
    expect(parseToml(set(text, entry, "toml"))).toMatchObject({ note: "[mcp_servers.mine]\n" });
  });
});

describe("what is shown of an edit", () => {
  it("has no value of an environment, a header or a credential's option", verifies("install.secrets"), () => {
    const before = `{
  "mcpServers": {
    "other": {
      "command": "/bin/o",
      "args": ["--api-key", "hunter2", "--token=hunter3", "https://u:hunter4@a.example/mcp?key=hunter5"],
      "env": { "PLAIN": "hunter6" },
      "headers": { "Authorization": "Bearer hunter7" },
      "apiKey": "hunter8"
    }
  }
}
`;
    const after = set(before, { command: "/bin/n", args: ["hunter9-in-a-word"], env: { K: "hunter9" } });
    const shown = diffConfig(before, after, { format: "json", secrets: ["hunter9"] });
    const text = shown.map((line) => line.text).join("\n");
    expect(text).toContain('"K": "•••"');
    expect(text).not.toContain("hunter");
    expect(maskConfig(before, { format: "json" })).not.toContain("hunter");
    expect(maskConfig(before, { format: "json" }).split("\n")).toHaveLength(before.split("\n").length);
    const toml =
      '[mcp_servers.a]\ncommand = "/bin/a"\nargs = ["--key", "hunter1"]\nenv = { K = "hunter2" }\nother = """\nhunter3"""\n';
    const masked = maskConfig(toml, { format: "toml" });
    expect(masked).not.toContain("hunter");
    expect(masked).toContain('command = "/bin/a"');
  });

  it("tells two places without what is between them", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `  "k${index}": ${index}`);
    const before = `{\n${lines.join(",\n")}\n}\n`;
    const after = before.replace('"k3": 3', '"k3": 33').replace('"k30": 30', '"k30": 300');
    const kinds = diffConfig(before, after, { format: "json", secrets: [] }).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "gap")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "added")).toHaveLength(2);
    expect(kinds.length).toBeLessThan(15);
  });
});
