/**
 * `openmcp discover`: what a domain publishes about MCP servers, and whether it is so. Needs no catalog. The live look is relay's own,
 * over the same network policy as every look.
 */
import { InvalidArgumentError } from "commander";
import { type DiscoverSettings, type Discovery, discover as discoverServers } from "../../discovery/index.ts";
import { createExchange } from "../../net/index.ts";
import { look } from "../../relay/index.ts";
import type { CatalogDocument } from "../../spec/index.ts";
import type { CommandModule } from "../command.ts";
import { discoveryTree } from "../discover/discovery-tree.ts";
import { exitCodeOfDiscovery, findingsOf } from "../discover/findings.ts";
import { createMask } from "../discover/mask.ts";
import { probeStep } from "../format/probe-steps.ts";
import { DISCOVER_TIMEOUT_MS } from "../limits.ts";
import { collect } from "../option-values.ts";
import type { Shell } from "../shell.ts";
import { printableLine } from "../terminal/printable.ts";
import { version } from "../version.ts";

interface DiscoverFlags {
  readonly input?: Readonly<Record<string, string>>;
  readonly look: boolean;
  readonly log?: boolean;
  readonly strict?: boolean;
  readonly allowNetwork?: readonly string[];
}

export const discover: CommandModule = {
  define(command, { run }) {
    command
      .argument("<domain|url>", "a domain, a site, an endpoint, or one document")
      .option("--input <name=value>", "fills a template of a remote; may be repeated", inputOption)
      .option("--no-look", "read the documents only: ask no server whether it runs")
      .option("--log", "tell each request on standard error")
      .option("--strict", "warnings fail too")
      .option("--allow-network <cidr>", "private network that may be called; may be repeated", collect)
      .addHelpText(
        "after",
        `
Reads openmcp.json, AI Catalogs, MCP Catalogs and Server Cards, follows where they lead, and asks the servers they name.

Examples:
  openmcp discover example.com
  openmcp discover https://example.com/.well-known/ai-catalog.json --no-look
  openmcp discover example.com --input tenant=acme
  openmcp discover example.com --json | jq -r '.servers[].endpoint'

Exits with 0 when something is published and all of it is right, with 1 when nothing is or something is wrong,
with 6 when nothing was found and not all that was asked answered.`,
      )
      .action((given: string, flags: DiscoverFlags) =>
        run(async (shell) => {
          const found = await discovered(given, { shell, flags });
          const mask = createMask(found, flags.input ?? {});
          if (shell.json) shell.printJson(mask.value(forMachines(found)));
          else shell.print(mask.text(discoveryTree(found, shell.style)));
          return exitCodeOfDiscovery(found, flags.strict === true);
        }),
      );
  },
};

async function discovered(
  given: string,
  { shell, flags }: { readonly shell: Shell; readonly flags: DiscoverFlags },
): Promise<Discovery> {
  const policy = { allowLoopback: true, allowNetworks: flags.allowNetwork ?? [] };
  await using net = createExchange(policy, { userAgent: `openmcp/${version} (discover)` });
  const { exchange } = net;
  const progress = await shell.progress();
  progress.update(`Reading ${printableLine(given)}`);
  let read = 0;
  const settings: DiscoverSettings = {
    signal: shell.signal,
    inputs: flags.input ?? {},
    limits: { totalMs: shell.options.timeout ?? DISCOVER_TIMEOUT_MS },
    onRequest(request) {
      read += 1;
      if (flags.log === true) progress.settle(probeStep(request, shell.noteStyle));
      progress.update(`${read} read · ${printableLine(request.url)}`);
    },
    onLook: () => progress.update("Asking the servers"),
    ...(flags.look
      ? {
          ask: (endpoint, { signal }) =>
            look(endpoint, { exchange, now: Date.now, ...(signal === undefined ? {} : { signal }) }),
        }
      : {}),
  };
  try {
    return await discoverServers(given, { ...settings, exchange });
  } finally {
    progress.close();
  }
}

/** Filled headers stay out: they are credentials. So does what is there twice: entries as published, and again in each way. */
function forMachines(found: Discovery): object {
  const servers = found.servers.map(({ headers, ...server }) => ({
    ...server,
    headers: Object.keys(headers),
  }));
  const documents = found.documents.map((document) => ({
    ...document,
    routes: document.routes.map(({ entry, ...route }) => ({
      ...route,
      identifier: entry?.identifier ?? null,
    })),
    ...(document.kind === "catalog" ? { catalog: withoutPublished(document.catalog) } : {}),
  }));
  return { ...found, documents, servers, summary: findingsOf(found) };
}

function withoutPublished({ entries, ...catalog }: CatalogDocument): object {
  return { ...catalog, entries: entries.map(({ published: _published, ...entry }) => entry) };
}

function inputOption(
  text: string,
  earlier: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Give name=value, such as tenant=acme.");
  return { ...earlier, [text.slice(0, at)]: text.slice(at + 1) };
}
