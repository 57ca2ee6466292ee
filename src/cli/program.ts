/**
 * The command line as commander sees it: global options, the table of commands, help. Only the command that was asked for
 * is loaded; the others are names with a summary.
 */
import { Command, Option } from "commander";
import { commands } from "./commands.ts";
import { DEFAULT_CATALOG } from "./default-catalog.ts";
import { helpConfiguration } from "./help.ts";
import { durationOption } from "./option-values.ts";
import { createShell, type GlobalOptions, type Runtime } from "./shell.ts";
import { createStyle, usesColour } from "./terminal/style.ts";
import { version } from "./version.ts";

/** Global options that take a value: needed to tell a command's name from an option's value. */
const VALUED = ["-c", "--catalog", "--token", "--transport", "--timeout"];

export interface ProgramOptions {
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
  /** False after `--no-color`: help is written before options are read. */
  readonly colour: boolean;
  /** The command to load; `all` for completion and documents. */
  readonly load: string | undefined | "all";
  readonly onExitCode: (code: number) => void;
}

/** The first word that is neither an option nor an option's value; for `help x`, x. */
export function invokedCommand(argv: readonly string[]): string | undefined {
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string;
    if (word === "--") return argv[at + 1];
    if (VALUED.includes(word)) at++;
    else if (!word.startsWith("-") && word !== "help") return word;
  }
  return undefined;
}

/** Whoever leaves out an option, or its value, is told what there is to choose from; commander names the option alone. */
function tellChoices(command: Command): void {
  const refuse =
    (code: string, words: (flags: string) => string) =>
    ({ flags, argChoices }: Option): never => {
      const choices = argChoices === undefined ? "" : `\n(Choose from ${argChoices.join(", ")}.)`;
      return command.error(`error: ${words(flags)}${choices}`, { code });
    };
  Object.assign(command, {
    missingMandatoryOptionValue: refuse(
      "commander.missingMandatoryOptionValue",
      (flags) => `required option '${flags}' not specified`,
    ),
    optionMissingArgument: refuse(
      "commander.optionMissingArgument",
      (flags) => `option '${flags}' argument missing`,
    ),
  });
}

export async function createProgram(settings: ProgramOptions): Promise<Command> {
  const { runtime, signal, colour, load, onExitCode } = settings;
  const program = new Command("openmcp");
  const hasColour = usesColour({
    wanted: colour,
    env: runtime.env,
    isTerminal: runtime.stdout.isTTY === true,
  });
  const style = createStyle(hasColour);
  program
    .description("Find MCP servers, see which ones answer, and call their tools.")
    .usage("<command> [options]")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .addHelpCommand(
      new Command("help")
        .argument("[command]")
        .summary("Show help for a command")
        .helpGroup("This tool:")
        .helpOption(false),
    )
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => void runtime.stdout.write(text),
      // Refusals are shown by run.ts, in one form for all errors.
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(runtime.stdout.columns ?? 80, 100),
      getErrHelpWidth: () => 80,
      getOutHasColors: () => hasColour,
    })
    .configureHelp(helpConfiguration(style))
    .addOption(
      new Option("-c, --catalog <url>", "the catalog to ask").env("OPENMCP_CATALOG").default(DEFAULT_CATALOG),
    )
    .addOption(new Option("--token <token>", "the catalog's admin token").env("OPENMCP_TOKEN"))
    .addOption(
      new Option("--transport <kind>", "how to speak to the catalog")
        .choices(["rest", "mcp"])
        .default("rest"),
    )
    .addOption(
      new Option("--timeout <duration>", "longest wait for an answer, such as 10s").argParser(durationOption),
    )
    .option("--json", "print JSON, and errors as JSON on standard error")
    .addOption(new Option("--no-color", "print without colour (as NO_COLOR does)"));

  for (const entry of commands) {
    const command = program.command(entry.name).summary(entry.summary).helpGroup(`${entry.group}:`);
    command.description(entry.summary.replace(/(?<![.!?])$/, "."));
    command.helpOption("-h, --help", "show help");
    command.exitOverride();
    if (load !== "all" && load !== entry.name) continue;
    const module = await entry.load();
    tellChoices(command);
    module.define(command, {
      async run(work) {
        const options = program.opts<GlobalOptions>();
        onExitCode(await work(createShell(runtime, { options, signal })));
      },
      wholeProgram: () => createProgram({ ...settings, load: "all" }),
    });
  }
  return program;
}
