/** `openmcp watch`: what changes in a catalog, as it happens, in words or as one JSON object a line. */
import { InvalidArgumentError, Option } from "commander";
import { type EventName, eventNames, type OpenMcpError } from "../../spec/index.ts";
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { changeLines } from "../format/change.ts";
import { collect } from "../option-values.ts";
import type { Shell } from "../shell.ts";
import { printableLine } from "../terminal/printable.ts";

interface WatchFlags {
  readonly relay?: readonly string[];
  readonly event?: readonly EventName[];
  readonly since?: number | "start";
  readonly once?: boolean;
}

export const watch: CommandModule = {
  define(command, { run }) {
    command
      .addOption(new Option("--relay <id>", "only this relay; may be repeated").argParser(collect))
      .addOption(
        new Option("--event <name>", "only this event, such as updated; may be repeated").argParser(
          eventOption,
        ),
      )
      .addOption(
        new Option(
          "--since <seq>",
          "from after this change, or start: from the oldest that is kept",
        ).argParser(sinceOption),
      )
      .option("--once", "print what there is and end; with --since, for scripts")
      .addHelpText(
        "after",
        `
Events: ${eventNames.map((name) => name.replace("relay.", "")).join(", ")}.
With --json, one object a line; its seq is what --since takes.

Examples:
  openmcp watch
  openmcp watch --relay board.example --event updated
  openmcp watch --since start --once --json | jq -c '.detail.tools // empty'

Goes on by itself when the catalog is away for a while. Ctrl-C ends it.`,
      )
      .action((flags: WatchFlags) => run((shell) => follow(shell, flags)));
  },
};

async function follow(shell: Shell, flags: WatchFlags): Promise<number> {
  await using catalog = openCatalog(shell);
  const filter = {
    ...(flags.relay === undefined ? {} : { relays: flags.relay }),
    ...(flags.event === undefined ? {} : { events: flags.event }),
  };
  const kept = async function* () {
    const since = typeof flags.since === "number" ? { since: flags.since } : {};
    yield* catalog.changes({ ...since, ...filter });
  };
  const live = (since: number | undefined) =>
    catalog.watch(
      { ...(since === undefined ? {} : { since }), ...filter },
      {
        signal: shell.signal,
        onOpen: () => shell.note(shell.noteStyle.quiet(`Watching ${catalog.base}; Ctrl-C ends it.`)),
        onLost: (why, ms) => shell.note(lostWords(why, ms)),
      },
    );
  let last: number | undefined;
  if (flags.once === true || flags.since === "start") {
    for await (const change of kept()) {
      last = change.seq;
      show(shell, change);
    }
    if (flags.once === true) {
      // Nothing to tell of a relay, or no such relay: what is not listed is said so.
      if (last === undefined && typeof flags.since !== "number")
        for (const id of flags.relay ?? []) await catalog.get(id);
      return exitCodes.ok;
    }
  } else {
    last = flags.since;
  }
  for await (const change of live(last)) show(shell, change);
  return exitCodes.ok;
}

function show(shell: Shell, change: Parameters<typeof changeLines>[0]): void {
  if (shell.json) shell.printJsonLine(change);
  else shell.print(changeLines(change, shell.style));
}

function lostWords(why: OpenMcpError, ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return `The catalog is away: ${printableLine(why.message)} Trying again in ${seconds} s.`;
}

function eventOption(text: string, earlier: readonly EventName[] | undefined): readonly EventName[] {
  const event = eventNames.find((name) => name === text || name === `relay.${text}`);
  if (event === undefined) throw new InvalidArgumentError(`Give one of ${eventNames.join(", ")}.`);
  return [...(earlier ?? []), event];
}

function sinceOption(text: string): number | "start" {
  if (text === "start") return text;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give the seq of a change, or start.");
}
