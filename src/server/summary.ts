/** What `openmcp serve` says once it answers: where it is, what is on, and three things to try. Pure text. */
import { formatDuration } from "./duration.ts";
import { isLoopbackHost } from "./loopback.ts";
import type { RunningCatalog } from "./start-catalog.ts";
import { version } from "./version.ts";

export interface SummaryView {
  /** How the command line is called where this is read: in a checkout nothing is named `openmcp`. */
  readonly command?: string;
}

/** Several lines, each under 100 characters where the values allow, with a final newline. No secret in it. */
export function describeCatalog(catalog: RunningCatalog, { command = "openmcp" }: SummaryView = {}): string {
  const { options, url } = catalog;
  const reach = catalog.loopbackAllowed
    ? "the public internet and this machine's loopback"
    : "the public internet only";
  const ranges = options.allowNetworks.length === 0 ? "" : `, and ${options.allowNetworks.join(", ")}`;
  const rows: readonly (readonly [string, string])[] = [
    ["Catalog", `${url}${catalog.origin === url ? "" : `  (bound to ${catalog.origin})`}`],
    ["REST", `${url}/v1  (documented at ${url}/v1/openapi.json)`],
    ["MCP", `${url}/mcp`],
    ["Descriptor", `${url}/.well-known/openmcp.json`],
    ["Database", options.db === ":memory:" ? "in memory, gone at the stop" : options.db],
    ["May call", `${reach}${ranges}`],
    ["Admin", options.adminToken === null ? "off; --admin-token turns removing, peers and backups on" : "on"],
    [
      "Secrets",
      options.secretsKeys.length === 0
        ? "of webhooks kept as they are; --secrets-key seals them"
        : "of webhooks sealed",
    ],
    ["Limits", limitsOf(options)],
    ["Refresh", options.refreshMs === null ? "off" : `every ${formatDuration(options.refreshMs)}`],
  ];
  const at = url === "http://127.0.0.1:8790" ? "" : ` --catalog ${url}`;
  const tries = [
    `${command} add <url of an MCP server>${at}`,
    `${command} find <what a tool should do>${at}`,
    `${command} call <id> <tool> key=value${at}`,
  ];
  return [
    `OpenMCP ${version} is up.`,
    "",
    ...rows.map(([label, value]) => `  ${label.padEnd(11)} ${value}`),
    "",
    "Try, in another terminal:",
    ...tries.map((line) => `  ${line}`),
    "",
    "Ctrl-C stops it.",
    "",
  ].join("\n");
}

function limitsOf({ budgets, trustProxy, host }: RunningCatalog["options"]): string {
  if (budgets === null) return "off: anyone may ask for anything, as often as they like";
  if (trustProxy !== null) return "budgets for each client address, as the proxy tells it";
  return isLoopbackHost(host)
    ? "budgets for other machines, none for this one"
    : "budgets for each client address";
}
