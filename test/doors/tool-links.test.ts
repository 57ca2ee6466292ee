/** Tools by their names, whatever these are made of: each link to one opens it, and what is there to paste means it and nothing else. */
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pagesDoor } from "../../src/doors/pages/index.ts";
import { readRoute } from "../../web/explorer/route.ts";
import { verifies } from "../requirements.ts";
import { type CatalogFixture, openCatalog, tool } from "./catalog-fixture.ts";

const ID = "names.example";
/** What URLs, shells, JSON, HTML and readers each take for something else. */
const NAMES: readonly string[] = [
  ".",
  "..",
  "...",
  "%2e",
  "a/b",
  "../../v1/relays",
  "a%2Fb",
  "100%",
  "q?x=1&tool=other",
  "h#tools",
  "two words",
  " around ",
  "plus+plus",
  "-x",
  "--catalog",
  "it's",
  '"quoted"',
  "$(touch /tmp/no) `no` $HOME ! \\",
  "<b>&amp;</b>",
  "مرحبا",
  "日本語",
  "👩‍👩‍👧",
  "\u202egpj.exe",
  "line\nbreak",
  "tab\tbed",
  "\u0000nul",
  "\u200b",
  "\ud800 half",
  "__proto__",
  "x".repeat(300),
];

let catalog: CatalogFixture;
let app: ReturnType<typeof pagesDoor>;
beforeAll(async () => {
  catalog = await openCatalog();
  await catalog.list(`https://${ID}/mcp`, { tools: [tool("first"), ...NAMES.map((name) => tool(name))] });
  await catalog.index();
  app = pagesDoor({ context: catalog.context });
});
afterAll(() => catalog[Symbol.asyncDispose]());

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const unescaped = (html: string) =>
  html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name] ?? "");
/** As a browser goes there: what it mends is mended. */
async function open(href: string): Promise<string> {
  const { pathname, search } = new URL(href, "http://127.0.0.1:8790/relays/x");
  const answer = await app.request(`${pathname}${search}`, { headers: { accept: "text/html" } });
  expect(answer.status).toBe(200);
  return answer.text();
}
const block = (page: string, label: string) =>
  unescaped(new RegExp(`aria-label="${label}"><code>([\\s\\S]*?)</code>`).exec(page)?.[1] ?? "");

/** The words that a shell gives to `program`. */
function words(script: string, program: "curl" | "openmcp"): string[] {
  const out = execFileSync("/bin/sh", ["-c", `${program}() { printf '%s\\0' "$@"; }\n${script}`], {
    timeout: 20_000,
    env: { PATH: "/nowhere" },
  });
  return out.toString().split("\0").slice(0, -1);
}

describe("a tool's links", verifies("directory.any-tool"), () => {
  it.each(NAMES.map((name, at) => [JSON.stringify(name).slice(0, 40), name, at + 1] as const))(
    "%s is opened by them, and called by what is there to paste",
    async (_shown, name, at) => {
      const list = await open(`/relays/${ID}?from=${Math.floor(at / 20) * 20}`);
      const card = list.split('<li class="tool">')[1 + (at % 20)] ?? "";
      const [, toCall = "", toTry = ""] =
        /<a href="([^"]*)">How to call it<\/a> <a href="([^"]*)">Try it<\/a>/.exec(card) ?? [];
      expect(toCall).toMatch(/#call$/);
      const page = await open(unescaped(toCall));
      const cards = page.split('<li class="tool">').slice(1);
      expect(cards.filter((one) => one.startsWith("<details open>"))).toEqual([cards[at % 20]]);

      const curl = words(block(page, "with curl"), "curl");
      expect(curl[0]).toBe(`http://127.0.0.1:8790/v1/relays/${ID}/call`);
      expect(JSON.parse(curl.at(-1) ?? "")).toEqual({ tool: name, arguments: {} });
      expect(curl.at(-1)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);

      const command = block(page, "on the command line");
      if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) expect(page).toContain("a terminal does not show");
      else {
        const given = words(command, "openmcp").filter((word) => word !== "--");
        const at = given.indexOf(ID);
        expect([given[0], given[at + 1]]).toEqual(["call", name]);
        if (name.startsWith("-")) expect(command).toContain(" -- ");
      }
      const [, literal = ""] = /\n {2}tool: (".*"),\n/.exec(block(page, "in TypeScript")) ?? [];
      expect(JSON.parse(literal)).toBe(name);

      const explorer = new URL(unescaped(toTry), "http://127.0.0.1:8790");
      expect([explorer.pathname, explorer.searchParams.get("relay")]).toEqual(["/explorer", ID]);
      expect(readRoute(explorer.hash)).toEqual({ place: "tools", name: name.toWellFormed() });
    },
  );

  it("leads from a search to the tool that was found", async () => {
    const found = await open("/?q=two+words");
    const [, href = ""] = /<h3><a href="([^"]*\?tool=[^"]*)">/.exec(found) ?? [];
    expect(new URL(unescaped(href), "http://127.0.0.1").searchParams.get("tool")).toBe("two words");
  });

  it("says that a tool is gone, and shows the rest", async () => {
    const page = await open(`/relays/${ID}?tool=gone%3Cb%3E#call`);
    expect(page).toContain('It has no tool <code dir="auto">gone&lt;b&gt;</code> as its list is now.');
    expect(JSON.parse(words(block(page, "with curl"), "curl").at(-1) ?? "")).toMatchObject({ tool: "first" });
    expect(await open(`/relays/${ID}`)).not.toContain("It has no tool");
  });
});
