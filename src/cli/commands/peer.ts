/** `openmcp peer`: the other catalogs that a catalog learns relays from; changing them is its admin's. */
import type { Command } from "commander";
import { openCatalog } from "../catalog.ts";
import type { CommandModule, Host } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { count } from "../format/facts.ts";
import { peerList } from "../format/peer-list.ts";
import type { Shell } from "../shell.ts";
import { printableLine } from "../terminal/printable.ts";

export const peer: CommandModule = {
  define(command, host) {
    command.addHelpText(
      "after",
      `
A relay that a peer lists is looked at here before it is listed, and shown with the peer it was learned from.

Examples:
  openmcp peer list
  OPENMCP_TOKEN=… openmcp peer add https://other.example
  OPENMCP_TOKEN=… openmcp peer sync`,
    );
    action(command, host, { name: "list", summary: "List the peers", work: list });
    action(command, host, {
      name: "add",
      summary: "Add a peer and start to learn from it (admin)",
      argument: "the other catalog's site, its descriptor or its /v1",
      work: add,
    });
    action(command, host, {
      name: "rm",
      summary: "Remove a peer; what was learned from it stays (admin)",
      argument: "the peer's URL",
      work: remove,
    });
    action(command, host, {
      name: "sync",
      summary: "Learn from all peers now, and wait (admin)",
      work: sync,
    });
  },
};

interface Action {
  readonly name: string;
  readonly summary: string;
  /** What the URL is that it takes, where it takes one. */
  readonly argument?: string;
  readonly work: (shell: Shell, url: string) => Promise<number>;
}

function action(parent: Command, { run }: Host, { name, summary, argument, work }: Action): void {
  const command = parent.command(name).summary(summary).description(`${summary}.`);
  command.helpOption("-h, --help", "show help").exitOverride();
  if (argument === undefined) command.action(() => run((shell) => work(shell, "")));
  else command.argument("<url>", argument).action((url: string) => run((shell) => work(shell, url)));
}

async function list(shell: Shell): Promise<number> {
  await using catalog = openCatalog(shell);
  const answer = await catalog.peers();
  if (shell.json) shell.printJson(answer);
  else if (answer.peers.length === 0) {
    shell.note("This catalog has no peers. Name one: openmcp peer add https://other.example");
  } else shell.print(peerList(answer.peers, { style: shell.style, width: shell.width, now: Date.now() }));
  return exitCodes.ok;
}

async function add(shell: Shell, url: string): Promise<number> {
  await using catalog = openCatalog(shell);
  const answer = await catalog.addPeer(url);
  if (shell.json) shell.printJson(answer);
  else {
    shell.print(`${shell.style.good("✓")} peer: ${printableLine(answer.added)}`);
    shell.note(
      shell.noteStyle.quiet(
        "  its relays are learned at the next sync, now unless --peer-sync is off; openmcp peer list tells how it went",
      ),
    );
  }
  return exitCodes.ok;
}

async function remove(shell: Shell, url: string): Promise<number> {
  await using catalog = openCatalog(shell);
  const answer = await catalog.removePeer(url);
  if (shell.json) shell.printJson(answer);
  else shell.print(`${shell.style.good("✓")} removed ${printableLine(answer.removed)}`);
  return exitCodes.ok;
}

async function sync(shell: Shell): Promise<number> {
  await using catalog = openCatalog(shell);
  const progress = await shell.progress();
  progress.update("Learning from the peers");
  const answer = await catalog.syncPeers().finally(() => progress.close());
  const { peers } = await catalog.peers();
  const failed = peers.filter(({ lastError }) => lastError !== null);
  if (shell.json) shell.printJson({ ...answer, failed });
  else {
    shell.print(`${count(answer.learned, "relay")} learned from ${count(answer.peers, "peer")}.`);
    for (const { url, lastError } of failed) {
      shell.note(`${shell.noteStyle.bad("✗")} ${printableLine(url)}: ${printableLine(lastError ?? "")}`);
    }
  }
  return failed.length === 0 ? exitCodes.ok : exitCodes.no;
}
