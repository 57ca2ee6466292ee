/** docs/dependencies.md argues every dependency there is, and none that is gone, with the licence it really has. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
const page = await read("docs/dependencies.md");
const manifest = JSON.parse(await read("package.json")) as Record<
  "dependencies" | "peerDependencies" | "devDependencies",
  Record<string, string>
>;
const [atRunTime = "", optional = "", inWorkshop = ""] = page.split(
  /\n## (?:What an operator may add|What only the workshop needs)\n/,
);
const rowsOf = (part: string) =>
  [...part.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+)/gm)].map(
    ([, name = "", licence = "", what = ""]) => ({
      name,
      licence: licence.trim(),
      what: what.trim(),
    }),
  );

describe.each([
  ["dependencies", atRunTime],
  ["peerDependencies", optional],
  ["devDependencies", inWorkshop],
] as const)("docs/dependencies.md, %s", (kind, part) => {
  const rows = rowsOf(part);

  it("names each, in order", () => {
    expect(rows.map((row) => row.name)).toEqual(Object.keys(manifest[kind]));
  });

  it.each(rows)("says the licence of $name and what it is for", async ({ name, licence, what }) => {
    const { license } = JSON.parse(await read(`node_modules/${name}/package.json`)) as { license?: string };
    // Some say it in a file only.
    if (license !== undefined && !license.startsWith("SEE ")) {
      expect(licence.toLowerCase()).toBe(license.replaceAll(/[()]/g, "").toLowerCase());
    }
    expect(what).not.toBe("");
  });

  it("pins each to one exact version, and gives a peer the range that it was tried with", () => {
    const form =
      kind === "peerDependencies" ? /^(?:\^|>=)\d+\.\d+\.\d+/ : /^(?:npm:.+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
    for (const version of Object.values(manifest[kind])) {
      expect(version).toMatch(form);
    }
  });
});
