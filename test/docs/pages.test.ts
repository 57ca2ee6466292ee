/** The pages say what is: links lead somewhere, and tables that repeat code are equal to it. */
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { routes } from "../../src/doors/rest/routes.ts";
import * as defaults from "../../src/server/serve-options.ts";
import { contents } from "../../web/docs/contents.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");

const pages = [
  "README.md",
  "ARCHITECTURE.md",
  ...(await readdir(join(root, "docs"), { recursive: true }))
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path)),
];

describe.each(pages)("%s", (page) => {
  it("links to what is there", async () => {
    const text = await read(page);
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => link);
    const lost: string[] = [];
    for (const link of links) {
      await stat(join(root, dirname(page), link)).catch(() => lost.push(link));
    }
    expect(lost).toEqual([]);
  });
});

it.each(pages)("%s begins with what it is about, in a sentence", async (page) => {
  // The site and llms.txt say it of the page.
  const [, , first = ""] = (await read(page)).split("\n");
  expect(first).toMatch(/^["'`\p{L}<[*]/u);
});

it("README.md leads to every page, in the order of the contents", async () => {
  const [, part = ""] = (await read("README.md")).split("## Where to read on");
  const linked = [...part.matchAll(/\]\(([\w/-]+)\.md\)/g)].map(([, link]) => link);
  expect(linked).toEqual(contents.flatMap((group) => group.pages));
});

describe("docs/rest.md", () => {
  it("lists the routes that the door has, no more and no fewer", async () => {
    const listed = [...(await read("docs/rest.md")).matchAll(/^\| `([A-Z]+ [^`]+)` \|/gm)].map(
      ([, route]) => route,
    );
    expect(listed.sort()).toEqual(routes.map((route) => `${route.method} ${route.path}`).sort());
  });
});

describe("docs/run-a-catalog.md", () => {
  it("lists every option with its variable and default", async () => {
    const rows = [
      ...(await read("docs/run-a-catalog.md")).matchAll(/^\| `(--[a-z-]+)` \| `(\w+)` \| ([^|]+) \|/gm),
    ];
    const listed = rows.map(([, flag, variable]) => [flag, variable]);
    const expected = Object.entries(defaults.serveVariables).map(([key, variable]) => [
      `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      variable,
    ]);
    expect(listed).toEqual(expected);
    const said = Object.fromEntries(
      rows.map(([, flag = "", , value = ""]) => [flag, value.replaceAll("`", "")]),
    );
    expect(said).toMatchObject({
      "--host": defaults.DEFAULT_HOST,
      "--port": String(defaults.DEFAULT_PORT),
      "--db": defaults.DEFAULT_DB,
      "--name": defaults.DEFAULT_NAME,
      "--refresh": defaults.DEFAULT_REFRESH,
      "--peer-sync": defaults.DEFAULT_PEER_SYNC,
    });
  });
});

describe("docs/decisions/", () => {
  it("has every page in its index, by its title", async () => {
    const index = await read("docs/decisions/README.md");
    for (const page of pages.filter((path) => /^docs.decisions.(?!README)/.test(path))) {
      const [, title] = /^# (.+)$/m.exec(await read(page)) ?? [];
      expect(index).toContain(`- [${title}](${page.slice("docs/decisions/".length)})`);
    }
  });
});
