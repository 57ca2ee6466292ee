/** Which URLs out of lists are looked at: not examples, people's own machines, templates, and what is no URL. */
import { expect, it } from "vitest";
import { judgeUrl } from "../../src/catalog/imports/judge-url.ts";
import { verifies } from "../requirements.ts";

const OWN = "https://catalog.fleet.dev/mcp";

it.each<[string, string]>([
  ["https://mcp.fleet.dev/mcp", "https://mcp.fleet.dev/mcp"],
  ["HTTPS://MCP.Fleet.dev:443/mcp/?tenant=a#top", "https://mcp.fleet.dev/mcp/?tenant=a"],
  ["http://8.8.8.8:8080/sse", "http://8.8.8.8:8080/sse"],
  ["https://my-mcp-server.someone.workers.dev/mcp", "https://my-mcp-server.someone.workers.dev/mcp"],
  ["https://yourself.dev/mcp", "https://yourself.dev/mcp"],
])("%s is", verifies("import.skipped"), (given, url) => {
  expect(judgeUrl(given, { own: OWN })).toMatchObject({ ok: true, url });
});

it.each<[string, string]>([
  ["http://localhost:3000/mcp", "localhost"],
  ["http://LOCALHOST./mcp", "localhost"],
  ["http://app.localhost/mcp", "localhost"],
  ["http://2130706433/mcp", "localhost"],
  ["http://0x7f.1/mcp", "localhost"],
  ["http://[::1]/mcp", "localhost"],
  ["http://[::ffff:10.0.0.1]/mcp", "localhost"],
  ["http://10.1.2.3/mcp", "localhost"],
  ["http://100.64.0.1/mcp", "localhost"],
  ["http://169.254.169.254/mcp", "localhost"],
  ["http://mcp-server:8000/mcp", "localhost"],
  ["http://printer.local/mcp", "localhost"],
  ["https://example.com/mcp", "placeholder"],
  ["https://mcp.example.io/mcp", "placeholder"],
  ["https://server.example/mcp", "placeholder"],
  ["https://mcp.test/mcp", "placeholder"],
  ["https://your-domain.com/mcp", "placeholder"],
  ["https://your-mcp-server.fly.dev/mcp", "placeholder"],
  ["https://yourdomain.com/mcp", "placeholder"],
  ["https://mydomain.com/mcp", "placeholder"],
  ["https://<host>/mcp", "placeholder"],
  ["https://a.fleet.dev/%7Btenant%7D/mcp", "placeholder"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it is written in lists
  ["https://${HOST}/mcp", "placeholder"],
  ["https://me:secret@a.fleet.dev/mcp", "unusable-url"],
  ["ws://a.fleet.dev/mcp", "unusable-url"],
  ["a.fleet.dev", "unusable-url"],
  ["", "unusable-url"],
  [`https://a.fleet.dev/${"x".repeat(2_100)}`, "unusable-url"],
  ["https://catalog.fleet.dev/mcp/", "this-catalog"],
])("%s is %s", (given, skip) => {
  expect(judgeUrl(given, { own: OWN })).toEqual({ ok: false, skip });
});
