/** The page as it is served: its size, its policy, where it may lie; and what is said when nothing was built. */
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { build } from "rolldown";
import { describe, expect, it } from "vitest";
import { explorerReply, loadExplorer } from "../../src/http/index.ts";
import type { ExplorerSettings } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { strangeKit } from "./strange-server.ts";

const settings: ExplorerSettings = {
  endpoint: "../mcp",
  shown: null,
  command: null,
  title: '</title><script>"&',
  openapi: null,
  catalog: null,
};
const files = (await loadExplorer()) ?? {};
const at = (path: string, init?: RequestInit) =>
  explorerReply(new Request(`http://here.example/explorer${path}`, init), {
    path,
    settings,
    gzip: async (text) => gzipSync(text),
  });

describe("the Explorer's page", () => {
  it(
    "is under 150 kB compressed in all, and asks nobody else for anything",
    verifies("explorer.budget"),
    () => {
      const page = Object.entries(files).filter(([name]) => !name.endsWith(".txt"));
      expect(page.map(([name]) => name.replace(/-[\w-]+\./, ".")).sort()).toEqual([
        "assets/index.css",
        "assets/index.js",
        "index.html",
      ]);
      const bytes = page.reduce((sum, [, text]) => sum + gzipSync(text).length, 0);
      expect(bytes).toBeLessThan(150_000);
      expect(files["index.html"]).not.toMatch(/(?:src|href)="(?!\.\/assets\/|data:,)/);
      expect(files["index.html"]).not.toMatch(/<script(?![^>]*\bsrc=)/);
      for (const [name, text] of page)
        if (name.endsWith(".css")) expect(text).not.toMatch(/@import|url\((?!data:)/);
    },
  );

  it("has a strict policy, and its settings as inert text", verifies("explorer.policy"), async () => {
    const reply = await at("/");
    const policy = reply.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(policy).toContain("connect-src 'self';");
    const html = await reply.text();
    expect(html).not.toContain('<script>"');
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it("leads to its folder, keeps assets, answers 304 and HEAD, and has no other file", async () => {
    const bare = await at("");
    expect([bare.status, bare.headers.get("location")]).toEqual([308, "explorer/index.html"]);
    const withQuery = await explorerReply(new Request("http://here.example/a/explorer?relay=x"), {
      path: "",
      settings,
    });
    expect(withQuery.headers.get("location")).toBe("explorer/index.html?relay=x");
    const name = Object.keys(files).find((each) => each.endsWith(".js")) ?? "";
    const script = await at(`/${name}`, { headers: { "accept-encoding": "gzip" } });
    expect(script.headers.get("cache-control")).toContain("immutable");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(gunzipSync(new Uint8Array(await script.arrayBuffer())).toString()).toBe(files[name]);
    const etag = (await at(`/${name}`)).headers.get("etag") ?? "";
    expect((await at(`/${name}`, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect(await (await at("/", { method: "HEAD" })).text()).toBe("");
    expect((await at("/", { method: "POST" })).status).toBe(405);
    for (const bad of ["/../package.json", "/constructor", "/assets/", "/index.js"]) {
      await expect(at(bad)).rejects.toMatchObject({ code: "not-found" });
    }
  });

  it("says how it is built where it is not", async () => {
    const request = new Request("http://here.example/explorer/");
    const reply = await explorerReply(request, { path: "/", settings, files: async () => null });
    expect(await reply.text()).toContain("npm run build:web");
  });

  it("is the kit's, under any mount", verifies("explorer.kit"), async () => {
    const kit = strangeKit({ publicUrl: "https://tools.example/weather", explorer: { path: "/a/try" } });
    const page = await kit.fetch(new Request("https://tools.example/weather/a/try/"));
    const meta = /name="openmcp-explorer" content="([^"]*)"/.exec(await page.text())?.[1] ?? "";
    expect(JSON.parse(meta.replaceAll("&#34;", '"'))).toMatchObject({
      endpoint: "../../mcp",
      openapi: "../../mcp/openapi.json",
      shown: "https://tools.example/weather/mcp",
      title: "A strange server",
    });
    await kit.close();
  });

  it("is found by the bundler of whoever has no file system", verifies("explorer.kit"), async () => {
    const root = join(import.meta.dirname, "..", "..");
    const { output } = await build({
      cwd: root,
      input: "src/kit/index.ts",
      platform: "browser",
      external: [/^node:/],
      write: false,
      logLevel: "silent",
    });
    expect(output.map(({ fileName }) => fileName)).toContainEqual(expect.stringMatching(/^explorer-files-/));
  });
});
