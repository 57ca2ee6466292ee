/** The applications that options name. */
import { InvalidArgumentError, Option } from "commander";
import {
  type ApplicationId,
  applicationIds,
  isPresent,
  type Machine,
  type Scope,
} from "../../desktop/index.ts";
import { OpenMcpError } from "../../spec/index.ts";

export type ClientChoice = readonly ApplicationId[] | "all";

/** `--client`; help and completion name the applications. */
export function clientOption(description: string): Option {
  return new Option("--client <names>", description)
    .choices([...applicationIds, "all"])
    .argParser(readClients);
}

/** Names with commas between, or `all`; may be repeated. */
function readClients(text: string, earlier: ClientChoice | undefined): ClientChoice {
  const words = text.split(",").map((word) => word.trim());
  if (words.includes("all") || earlier === "all") return "all";
  const ids = words.map((word) => {
    const id = applicationIds.find((known) => known === word);
    if (id === undefined) throw new InvalidArgumentError(`Give ${applicationIds.join(", ")} or all.`);
    return id;
  });
  return [...new Set([...(earlier ?? []), ...ids])];
}

/** `all` is those that are on this machine. @throws OpenMcpError `not-found` when none is. */
export async function chosenClients(
  choice: ClientChoice,
  machine: Machine,
): Promise<readonly ApplicationId[]> {
  if (choice !== "all") return choice;
  const present: ApplicationId[] = [];
  for (const id of applicationIds) if (await isPresent(id, machine)) present.push(id);
  if (present.length > 0) return present;
  throw new OpenMcpError(
    "not-found",
    `None of these applications is on this machine: ${applicationIds.join(", ")}. Did you mean one of them? Name it with --client.`,
  );
}

/** `--scope`. */
export function scopeOption(): Option {
  return new Option("--scope <scope>", "user, or project: the file of the folder that you are in")
    .argParser(readScope)
    .default("user");
}

/** `--dry-run` of what edits an application's file. */
export function dryRunOption(): Option {
  return new Option("--dry-run", "show what would change, and change nothing");
}

function readScope(text: string): Scope {
  if (text === "user" || text === "project") return text;
  throw new InvalidArgumentError("Give user or project.");
}
