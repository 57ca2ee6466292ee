/** The HTTP servers in files that people have: every client's shape, and no key of theirs in what comes out. */
import { describe, expect, it } from "vitest";
import { readImportFile } from "../../src/cli/import-file/read-file.ts";
import { shareableUrl } from "../../src/cli/import-file/shareable-url.ts";
import { verifies } from "../requirements.ts";

const found = (text: string, file = "mcp.json") =>
  readImportFile(text, file).map(({ name, url, skip }) => [name, url ?? skip]);

describe("a client's configuration", () => {
  it.each<[string, string, unknown]>([
    [
      "Claude Desktop",
      `{"mcpServers": {
        "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me"]},
        "bridge": {"command": "npx", "args": ["-y", "mcp-remote@latest", "https://mcp.fleet.dev/mcp", "--header", "Authorization:\${AUTH}"], "env": {"AUTH": "Bearer s3cret"}},
        "windows": {"command": "cmd", "args": ["/c", "npx", "mcp-remote", "https://win.fleet.dev/sse"]},
        "ours": {"command": "openmcp", "args": ["connect", "https://ours.fleet.dev/mcp"]},
        "npx-ours": {"command": "npx", "args": ["-y", "openmcp", "connect", "--relay-token", "s3cret", "https://npx.fleet.dev/mcp"]},
        "proxy": {"command": "/usr/local/bin/mcp-proxy", "args": ["--headers", "Authorization", "Bearer s3cret", "https://proxy.fleet.dev/mcp"]}
      }}`,
      [
        ["files", "local"],
        ["bridge", "https://mcp.fleet.dev/mcp"],
        ["windows", "https://win.fleet.dev/sse"],
        ["ours", "https://ours.fleet.dev/mcp"],
        ["npx-ours", "https://npx.fleet.dev/mcp"],
        ["proxy", "https://proxy.fleet.dev/mcp"],
      ],
    ],
    [
      "Cursor and Claude Code, with types and headers",
      `{"mcpServers": {
        "a": {"type": "http", "url": "https://a.fleet.dev/mcp", "headers": {"Authorization": "Bearer s3cret"}},
        "b": {"type": "sse", "url": "https://b.fleet.dev/sse"},
        "c": {"url": "https://c.fleet.dev/\${TENANT}/mcp"}}}`,
      [
        ["a", "https://a.fleet.dev/mcp"],
        ["b", "https://b.fleet.dev/sse"],
        ["c", "template"],
      ],
    ],
    [
      "VS Code, with comments, inputs and a trailing comma",
      `\ufeff// mine
      {"inputs": [{"id": "key", "password": true}], /* "servers" */
       "servers": {"a": {"type": "http", "url": "https://a.fleet.dev/mcp", "headers": {"K": "\${input:key}"},},
                   "b": {"type": "stdio", "command": "uvx", "args": ["x"]}},}`,
      [
        ["a", "https://a.fleet.dev/mcp"],
        ["b", "local"],
      ],
    ],
    [
      "VS Code's settings",
      `{"editor.tabSize": 2, "mcp": {"servers": {"a": {"url": "https://a.fleet.dev/mcp"}}}}`,
      [["a", "https://a.fleet.dev/mcp"]],
    ],
    [
      "Windsurf",
      `{"mcpServers": {"a": {"serverUrl": "https://a.fleet.dev/mcp"}}}`,
      [["a", "https://a.fleet.dev/mcp"]],
    ],
    [
      "Gemini CLI",
      `{"theme": "x", "mcpServers": {"a": {"httpUrl": "https://a.fleet.dev/mcp"}}}`,
      [["a", "https://a.fleet.dev/mcp"]],
    ],
    [
      "Zed",
      `{"context_servers": {"a": {"source": "custom", "command": {"path": "npx", "args": ["mcp-remote", "https://a.fleet.dev/mcp"]}}}}`,
      [["a", "https://a.fleet.dev/mcp"]],
    ],
    [
      "opencode",
      `{"mcp": {"a": {"type": "remote", "url": "https://a.fleet.dev/mcp"}, "b": {"type": "local", "command": ["bun", "x"]}}}`,
      [
        ["a", "https://a.fleet.dev/mcp"],
        ["b", "local"],
      ],
    ],
    [
      "Claude Code's own file, by projects",
      `{"projects": {"/home/me/x": {"mcpServers": {"a": {"url": "https://a.fleet.dev/mcp"}}}}, "mcpServers": {}}`,
      [["a", "https://a.fleet.dev/mcp"]],
    ],
    [
      "a JSON list",
      `["https://a.fleet.dev/mcp", "https://b.fleet.dev/mcp?x=1"]`,
      [
        [null, "https://a.fleet.dev/mcp"],
        [null, "https://b.fleet.dev/mcp?x=1"],
      ],
    ],
  ])("of %s", verifies("import.file"), (_name, text, servers) => {
    expect(found(text)).toEqual(servers);
    expect(JSON.stringify(readImportFile(text, "mcp.json"))).not.toContain("s3cret");
  });

  it("that is none is refused, with the line where it breaks and none of its text", () => {
    expect(() => found('{"mcpServers": {"a": {"url": "https://a.fleet.dev", \n "key": s3cret}}')).toThrow(
      /line 2/,
    );
    expect(() => found('{"mcpServers": {"a": s3cret}}')).not.toThrow(/s3cret/);
    expect(() => found('{"other": 1}')).toThrow(/no MCP servers/);
    expect(() => found("[1]")).toThrow(/no MCP servers/);
    expect(() => found("[".repeat(10_000))).toThrow(/too deep/);
  });
});

it("a list gives its lines, without comments", () => {
  expect(found("# mine\nhttps://a.fleet.dev/mcp\r\n\n  b.fleet.dev\n", "list.txt")).toEqual([
    [null, "https://a.fleet.dev/mcp"],
    [null, "b.fleet.dev"],
  ]);
});

it("a list's lines that are no address stay on this machine: the file may be another than was meant", () => {
  const key =
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\nPASSWORD=hunter2\n";
  expect(
    found(`${key}[::1]:8080\nlocalhost:8080\na word\nftp://a.fleet.dev`, "id").map(([, given]) => given),
  ).toEqual(["not-http", "not-http", "not-http", "[::1]:8080", "localhost:8080", "not-http", "not-http"]);
});

describe("an address out of a configuration", () => {
  it.each<[string, ReturnType<typeof shareableUrl>]>([
    ["https://a.fleet.dev/mcp", { ok: true, url: "https://a.fleet.dev/mcp", cut: false }],
    ["https://a.fleet.dev/mcp?api_key=s3cret#x", { ok: true, url: "https://a.fleet.dev/mcp", cut: true }],
    ["https://me:s3cret@a.fleet.dev/mcp", { ok: true, url: "https://a.fleet.dev/mcp", cut: true }],
    [
      "https://a.fleet.dev/some-long-words-that-mean-a-thing/mcp",
      { ok: true, url: "https://a.fleet.dev/some-long-words-that-mean-a-thing/mcp", cut: false },
    ],
    ["https://mcp.fleet.dev/api/mcp/s/MTIzNDU2Nzg5MGFiY2RlZmdo:aGVsbG8/mcp", { ok: false, why: "personal" }],
    ["https://mcp.fleet.dev/0f8fad5b-d9cb-469f-a165-70867728950e/slack", { ok: false, why: "personal" }],
    ["https://mcp.fleet.dev/u/9f86d081884c7d65/mcp", { ok: false, why: "personal" }],
    ["https://mcp.fleet.dev/sk-proj-abcdefgh/mcp", { ok: false, why: "personal" }],
    ["https://9f86d081884c7d659a2feaa0c55ad015.fleet.dev/mcp", { ok: false, why: "personal" }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it is written in a configuration
    ["https://${HOST}/mcp", { ok: false, why: "template" }],
    ["https://<your-host>/mcp", { ok: false, why: "template" }],
    ["ws://a.fleet.dev/mcp", { ok: false, why: "not-http" }],
    ["a.fleet.dev", { ok: false, why: "not-http" }],
  ])("%s", verifies("import.file-secrets"), (url, judged) => {
    expect(shareableUrl(url)).toEqual(judged);
  });
});
