/** `openmcp inspect`: the Explorer on a relay, a URL or a command, in a browser of this machine. Ends with Ctrl-C. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { loadExplorer } from "../../http/index.ts";
import { OpenMcpError, recordEndpoint } from "../../spec/index.ts";
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { createCommandBridge } from "../inspect/command-bridge.ts";
import { inspectDoor } from "../inspect/inspect-door.ts";
import type { Upstream } from "../inspect/upstream.ts";
import { createUrlUpstream } from "../inspect/url-upstream.ts";
import { collect, countOption } from "../option-values.ts";
import { openReceiver } from "../receiver.ts";
import type { Shell } from "../shell.ts";
import { printableLine } from "../terminal/printable.ts";

interface InspectOptions {
  readonly port?: number;
  readonly open?: boolean;
  readonly allowNetwork?: readonly string[];
}

export const inspect: CommandModule = {
  define(command, { run }) {
    command
      .usage("<id | url | command...> [options]")
      .argument(
        "<target...>",
        "a relay's id, the URL of an endpoint, or a command that speaks MCP over stdio",
      )
      .option("--port <port>", "port to listen on (default: any that is free)", countOption(65_535))
      .option("--open", "open the browser too")
      .option("--allow-network <cidr>", "private network that may be called; may be repeated", collect)
      .addHelpText(
        "after",
        `
Put -- before a command that has options of its own.

Examples:
  openmcp inspect weather.example
  openmcp inspect http://127.0.0.1:3000/mcp
  openmcp inspect -- npx -y @modelcontextprotocol/server-everything stdio

The address it prints is good on this machine while it runs; Ctrl-C ends it.`,
      )
      .action((target: readonly string[], options: InspectOptions) =>
        run((shell) => serveExplorer(shell, { ...options, target })),
      );
  },
};

interface Inspected {
  readonly upstream: Upstream;
  readonly shown: string | null;
  readonly command: readonly string[] | null;
  readonly title: string;
}

async function serveExplorer(
  shell: Shell,
  options: InspectOptions & { readonly target: readonly string[] },
): Promise<number> {
  if ((await loadExplorer()) === null) {
    throw new OpenMcpError(
      "unavailable",
      "The Explorer is not built. In a checkout, `npm run build:web` does it.",
      {
        data: { part: "explorer" },
      },
    );
  }
  const { upstream, ...settings } = await inspectedBy(shell, options);
  await using _upstream = upstream;
  await using receiver = await openReceiver({ host: "127.0.0.1", port: options.port ?? 0 });
  const key = randomBytes(18).toString("base64url");
  const url = `${receiver.url}${key}/explorer/`;
  const compress = promisify(gzip);
  receiver.serve(inspectDoor({ url: receiver.url, key, upstream, settings, gzip: (text) => compress(text) }));
  if (shell.json) shell.printJsonLine({ url });
  else shell.print(url);
  shell.note(shell.noteStyle.quiet(`The Explorer on ${printableLine(settings.title)}; Ctrl-C ends it.`));
  if (options.open === true) openBrowser(url, shell);
  await new Promise<void>((resolve) => {
    if (shell.signal.aborted) resolve();
    shell.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  return exitCodes.ok;
}

async function inspectedBy(
  shell: Shell,
  { target, allowNetwork = [] }: InspectOptions & { readonly target: readonly string[] },
): Promise<Inspected> {
  const [first = ""] = target;
  const alone = target.length === 1;
  if (alone && /^https?:\/\//i.test(first)) {
    if (!URL.canParse(first))
      throw new OpenMcpError("invalid-input", `"${first}" is no URL`, { data: { field: "target" } });
    const title = new URL(first).host;
    return {
      upstream: createUrlUpstream(first, { allowNetworks: allowNetwork }),
      shown: first,
      command: null,
      title,
    };
  }
  // As everywhere: one word without a slash is a relay of the catalog.
  if (alone && !/[\\/]/.test(first)) {
    await using catalog = openCatalog(shell);
    const endpoint = recordEndpoint(await catalog.get(first));
    return {
      upstream: createUrlUpstream(endpoint, { allowNetworks: allowNetwork }),
      shown: endpoint,
      command: null,
      title: first,
    };
  }
  const note = (text: string): void => {
    for (const line of text.split("\n"))
      if (line.trim() !== "") shell.note(shell.noteStyle.quiet(`  ${printableLine(line)}`));
  };
  const upstream = createCommandBridge({
    command: target,
    env: shell.env,
    stderr: note,
    failed: (why) => shell.note(`${shell.noteStyle.bad("✗")} ${printableLine(why)}`),
    stray: (text) =>
      shell.note(
        `${shell.noteStyle.warn("!")} The command wrote to its standard output what is no message: ${printableLine(text.slice(0, 200))}`,
      ),
  });
  return { upstream, shown: null, command: target, title: target.join(" ").slice(0, 100) };
}

/** By the system's own opener; that there is none is no failure. */
function openBrowser(url: string, shell: Shell): void {
  const [command, args] =
    process.platform === "darwin"
      ? (["open", [url]] as const)
      : process.platform === "win32"
        ? (["cmd", ["/c", "start", "", url]] as const)
        : (["xdg-open", [url]] as const);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.once("error", () => shell.note("No browser could be opened; open the address yourself."));
  child.unref();
}
