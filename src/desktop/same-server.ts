/**
 * Whether two entries start the same server, so that installing again changes the one and a namesake keeps the other. The same is
 * what runs the same words or asks the same URL: where the program lies, which version of a package it is, and what it is given to
 * know (variables, headers) may have changed. Pure.
 */
import type { CommandLaunch, Launch } from "./entry.ts";

/** Programs that run a package by its name. */
const RUNNERS = /^(?:npx|bunx|uvx|pnpx|pnpm|yarn)$/i;

export function isSameServer(one: Launch, other: Launch): boolean {
  return identity(one) === identity(other);
}

function identity(launch: Launch): string {
  if (launch.kind === "http") return JSON.stringify(["http", launch.url]);
  return JSON.stringify(bridged(launch) ?? ["command", ...commandWords(launch)]);
}

/** Of our own bridge what it leads to, whichever installation runs it. */
function bridged({ command, args }: CommandLaunch): readonly string[] | null {
  const words = [command, ...args];
  const own = words.findIndex((word) =>
    /(?:^|[\\/])(?:openmcp(?:@[^\\/]*)?|cli[\\/]main\.[jt]s)$/.test(word),
  );
  const rest = words.slice(own + 1);
  if (own === -1 || !rest.includes("connect")) return null;
  return ["bridge", ...rest.filter((word, at) => word !== "--header" && rest[at - 1] !== "--header")];
}

function commandWords({ command, args }: CommandLaunch): readonly string[] {
  // `cmd /c` is how Windows starts a script.
  const words = /^\/c$/i.test(args[0] ?? "") ? args.slice(1) : [command, ...args];
  const program = baseName(words[0] ?? "");
  const rest = words.slice(1);
  if (!RUNNERS.test(program)) return [program, ...rest];
  const named = rest.filter((word) => word !== "-y" && word !== "--yes");
  const pack = named.findIndex((word) => !word.startsWith("-"));
  return [program, ...named.map((word, at) => (at === pack ? word.replace(/(?<=.)@[^/@]*$/, "") : word))];
}

function baseName(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return name.replace(/\.(?:exe|cmd|bat)$/i, "");
}
