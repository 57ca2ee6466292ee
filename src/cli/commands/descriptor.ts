/** `openmcp descriptor`: the openmcp.json of a relay, filled by a live look as far as it can be, ready to be saved. */
import type { Finding } from "../../catalog/index.ts";
import { describe, type JsonObject, OpenMcpError } from "../../spec/index.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { lookAround } from "../look-around.ts";
import { collect } from "../option-values.ts";
import { printableJson } from "../terminal/printable.ts";

export const descriptor: CommandModule = {
  define(command, { run }) {
    command
      .argument("<url>", "the relay's MCP endpoint")
      .option("--allow-network <cidr>", "private network that may be called; may be repeated", collect)
      .addHelpText(
        "after",
        `
The document goes to standard output, remarks on it to standard error.

Examples:
  openmcp descriptor https://example.com/mcp > public/.well-known/openmcp.json

Exits with 1 when no MCP server answered: the document then holds what was typed.`,
      )
      .action((url: string, options: { readonly allowNetwork?: readonly string[] }) =>
        run(async (shell) => {
          const progress = await shell.progress();
          progress.update("Asking the relay about itself");
          const found = await lookAround(url, {
            signal: shell.signal,
            allowNetworks: options.allowNetwork ?? [],
            timeoutMs: shell.options.timeout,
          }).finally(() => progress.close());
          const { document, notes } = writeDescriptor(found.finding);
          shell.print(printableJson(document));
          for (const note of notes) shell.note(`${shell.noteStyle.warn("!")} ${note}`);
          const { state } = found.finding.verdict;
          return state === "online" || state === "auth-required" ? exitCodes.ok : exitCodes.no;
        }),
      );
  },
};

/**
 * A document from what was seen. What the relay serves already is kept, unknown keys too; only what is missing is added.
 * What can't be seen (an operator, a description) is left out and remarked on: an invented value would be a false claim.
 */
export function writeDescriptor(finding: Finding): {
  readonly document: JsonObject;
  readonly notes: readonly string[];
} {
  const { verdict, endpoint } = finding;
  const served = finding.descriptor ?? {};
  const origin = originOf(endpoint);
  const auth = authOf(finding);
  const tools = (verdict.tools ?? []).map((tool) => tool.name);
  const document: JsonObject = {
    openmcp: "0.1",
    mcp: endpoint,
    ...(verdict.server?.name ? { name: verdict.server.name } : {}),
    url: origin,
    ...(auth === null ? {} : { auth }),
    ...(tools.length === 0 ? {} : { tools }),
    ...served,
  };
  const facts = describe({ ...document, mcp: endpoint }, endpoint);
  const notes = [
    ...(verdict.state === "online"
      ? []
      : [`The endpoint is not online (${verdict.state}): ${verdict.error ?? "no reason given"}`]),
    ...(finding.descriptor === null ? [] : [`${finding.source} is served already; what it says was kept.`]),
    ...(facts.name === null ? ['"name" is missing: one line for listings.'] : []),
    ...(facts.description === null
      ? ['"description" is missing: a paragraph on what the relay is for.']
      : []),
    ...(facts.auth === "unknown" ? ['"auth" is not stated: none, bearer, oauth or api-key.'] : []),
    ...(auth?.kind === "none" && document.auth === auth
      ? [
          '"auth" says none because it lists its tools to anyone: change it if calling them needs a credential.',
        ]
      : []),
    ...(facts.auth !== "unknown" && facts.auth !== "none" && facts.authUrl === null
      ? ['"auth.url" is missing: where a person gets a credential.']
      : []),
    ...(facts.tags.length === 0 ? ['"tags" are missing: lower-case words that catalogs group by.'] : []),
    ...(facts.operator === null
      ? ['"operator" is not stated: the OpenProfile.md URL of who answers for the relay.']
      : []),
    `Serve it as application/json at ${origin}/.well-known/openmcp.json`,
  ];
  return { document, notes };
}

/** What the look showed, to be checked by the owner: an endpoint that lets anyone list its tools may still guard the calls. */
function authOf(finding: Finding): JsonObject | null {
  const { state, challenge } = finding.verdict;
  if (state === "online") return { kind: "none" };
  if (state !== "auth-required") return null;
  return { kind: challenge?.resourceMetadata ? "oauth" : "bearer" };
}

function originOf(endpoint: string): string {
  if (URL.canParse(endpoint)) return new URL(endpoint).origin;
  throw new OpenMcpError("invalid-input", `"${endpoint}" is not a URL.`, { data: { field: "url" } });
}
