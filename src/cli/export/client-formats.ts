/**
 * Exports that an application on this machine takes. A credential is in none of them: an application asks for it, or the bridge does.
 * Which file of the application it goes into, and merging it there, is not this command's.
 */
import type { CommandLaunch } from "../../desktop/index.ts";
import { describe, type RelayRecord, recordEndpoint } from "../../spec/index.ts";
import type { ExportContext, ExportFormat } from "./export-format.ts";
import { type JsonEntry, jsonStream } from "./json-stream.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** Characters of an entry's name: applications put it before each tool's name, and those may have 64 in all. */
const MAX_ENTRY_NAME_CHARS = 40;

/** `bridge` to a URL, as `openmcp install` writes it; it fails where there is no way to start one. */
export function claudeDesktop(bridge: (url: string) => Promise<CommandLaunch>): ExportFormat {
  return {
    summary: "mcpServers for claude_desktop_config.json, each bridged by `openmcp connect`",
    async *write(records, context) {
      const entries = named(records, context, async ({ url }) => {
        const { command, args, env } = await bridge(url);
        return { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
      });
      yield* jsonStream({ key: "mcpServers", holds: "map" }, entries);
    },
  };
}

export const vscode: ExportFormat = {
  summary: "servers for VS Code's mcp.json",
  write(records, context) {
    const inputs: object[] = [];
    const entries = named(records, context, ({ name, url, auth }) => {
      if (auth !== "bearer") return { type: "http", url };
      const id = `${name}-token`;
      inputs.push({
        type: "promptString",
        id,
        description: `Credential for ${new URL(url).host}`,
        password: true,
      });
      return { type: "http", url, headers: { Authorization: `Bearer \${input:${id}}` } };
    });
    const after = () => (inputs.length === 0 ? {} : { inputs });
    return jsonStream({ key: "servers", holds: "map", after }, entries);
  },
};

interface NamedRelay {
  readonly name: string;
  readonly url: string;
  readonly auth: string;
}

async function* named(
  records: AsyncIterable<RelayRecord>,
  context: ExportContext,
  entryOf: (relay: NamedRelay) => object | Promise<object>,
): AsyncGenerator<JsonEntry> {
  const taken = new Set<string>();
  for await (const record of withoutSecrets(records, context)) {
    const url = recordEndpoint(record);
    const { auth } = describe(record.descriptor, record.source);
    if (auth !== "none" && auth !== "unknown") context.remark({ kind: "credential", relay: record.id, auth });
    const name = entryName(record.id, taken);
    yield { name, value: await entryOf({ name, url, auth }) };
  }
}

/** What every application takes as a name, and no two entries share. */
function entryName(id: string, taken: Set<string>): string {
  const base = id.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, MAX_ENTRY_NAME_CHARS);
  let name = base;
  for (let count = 2; taken.has(name); count += 1) {
    const end = `-${count}`;
    name = `${base.slice(0, MAX_ENTRY_NAME_CHARS - end.length)}${end}`;
  }
  taken.add(name);
  return name;
}
