/** What completion needs to know of the command line, read off the commands themselves. */
import type { Command } from "commander";

export interface CompletionOption {
  /** `--limit`, and `-f` where there is one. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export interface CompletionCommand {
  readonly name: string;
  readonly summary: string;
  /** Commands in it, such as `add` of `webhook`. */
  readonly actions: readonly CompletionCommand[];
  readonly options: readonly CompletionOption[];
  /** The first argument: a relay's id, one of some words (a command's actions, too), or anything. */
  readonly first:
    | { readonly kind: "id" }
    | { readonly kind: "words"; readonly words: readonly string[] }
    | null;
}

export interface CompletionModel {
  readonly globals: readonly CompletionOption[];
  readonly commands: readonly CompletionCommand[];
}

/** Of a program whose commands are all loaded. */
export function describeProgram(program: Command): CompletionModel {
  return {
    globals: optionsOf(program),
    commands: program.commands.map(described),
  };
}

function described(command: Command): CompletionCommand {
  return {
    name: command.name(),
    summary: command.summary(),
    actions: command.commands.map(described),
    options: optionsOf(command),
    first: firstOf(command),
  };
}

function optionsOf(command: Command): readonly CompletionOption[] {
  return command.options
    .filter((option) => !option.hidden)
    .map((option) => ({
      names: [option.short, option.long].filter((name): name is string => typeof name === "string"),
      description: option.description,
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    }));
}

function firstOf(command: Command): CompletionCommand["first"] {
  if (command.commands.length > 0) {
    return { kind: "words", words: command.commands.map((action) => action.name()) };
  }
  const [argument] = command.registeredArguments;
  if (argument === undefined) return null;
  if (/^(?:a|the) relay's id\b|^ids of relays\b/.test(argument.description)) return { kind: "id" };
  return argument.argChoices === undefined ? null : { kind: "words", words: argument.argChoices };
}
