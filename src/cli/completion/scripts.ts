/** The scripts for bash, zsh and fish. Pure text from the model; ids of relays come from `openmcp completion --ids`. */
import type { CompletionCommand, CompletionModel, CompletionOption } from "./model.ts";

export const completionShells = ["bash", "zsh", "fish"] as const;

export type CompletionShell = (typeof completionShells)[number];

const IDS = "openmcp completion --ids 2>/dev/null";

export function completionScript(shell: CompletionShell, model: CompletionModel): string {
  return { bash, zsh, fish }[shell](model);
}

function bash(model: CompletionModel): string {
  const names = model.commands.map((command) => command.name).join(" ");
  const globals = flags(model.globals);
  const valued = [...model.globals, ...model.commands.flatMap(withActions).flatMap((one) => one.options)];
  const choiceCases = uniqueBy(valued.filter((option) => option.choices.length > 0))
    .map(
      (option) =>
        `    ${option.names.join("|")}) COMPREPLY=($(compgen -W "${option.choices.join(" ")}" -- "$word")); return ;;`,
    )
    .join("\n");
  const skipped = uniqueBy(valued.filter((option) => option.takesValue))
    .flatMap((option) => option.names)
    .join("|");
  const bashCase = (pattern: string, { first, options }: CompletionCommand, before = ""): string => {
    const words = first?.kind === "words" ? first.words.join(" ") : "";
    return `    ${pattern}) ${before}options="${flags(options)}"; first="${first?.kind === "id" ? `$(${IDS})` : words}" ;;`;
  };
  const actionCases = model.commands.flatMap(({ name, actions }) =>
    actions.map((action) => bashCase(`"${name} ${action.name}"`, action, "((given--)); ")),
  );
  const commandCases = model.commands.map((command) => bashCase(command.name, command));
  return `# openmcp completion for bash
_openmcp() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" action="" given=0 at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      ${skipped}) ((at++)) ;;
      -*) ;;
      *) if [[ -z "$command" ]]; then command="\${COMP_WORDS[at]}"; else [[ -n "$action" ]] || action="\${COMP_WORDS[at]}"; ((given++)); fi ;;
    esac
  done
  case "$before" in
${choiceCases}
    --file|-f|--db) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  if [[ -z "$command" ]]; then
    COMPREPLY=($(compgen -W "${names} help ${globals}" -- "$word"))
    return
  fi
  local options="" first=""
  case "$command" in
    help) first="${names}" ;;
${indentedLazily(commandCases.join("\n"))}
  esac
  case "$command $action" in
${indentedLazily(actionCases.join("\n"))}
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$options ${globals} --help" -- "$word"))
  elif ((given == 0)); then
    COMPREPLY=($(compgen -W "$first" -- "$word"))
  fi
}
complete -o default -F _openmcp openmcp`;
}

/** Ids are only fetched for the command at hand and for its first word: a subshell in an unused branch never runs. */
function indentedLazily(cases: string): string {
  return cases.replaceAll(
    `first="$(${IDS})"`,
    `if ((given == 0)) && [[ "$word" != -* ]]; then first="$(${IDS})"; fi`,
  );
}

function zsh(model: CompletionModel): string {
  const describe = model.commands
    .map((command) => `    '${zshText(command.name)}:${zshText(command.summary)}'`)
    .join("\n");
  const cases = model.commands
    .map((command) => {
      const first =
        command.first?.kind === "id"
          ? " '1:relay:_openmcp_ids'"
          : command.first?.kind === "words"
            ? ` '1:word:(${command.first.words.join(" ")})'`
            : "";
      const options = uniqueBy(withActions(command).flatMap((one) => one.options))
        .map((option) => ` ${zshOption(option)}`)
        .join("");
      return `        ${command.name}) _arguments -s $globals${options}${first} '*:argument:_files' ;;`;
    })
    .join("\n");
  return `#compdef openmcp
# openmcp completion for zsh
_openmcp_ids() {
  local -a ids
  ids=(\${(f)"$(${IDS})"})
  compadd -a ids
}
_openmcp() {
  local -a commands globals
  local context state line
  typeset -A opt_args
  commands=(
${describe}
  )
  globals=(
${model.globals.map((option) => `    ${zshOption(option)}`).join("\n")}
    '(-h --help)'{-h,--help}'[show help]'
  )
  _arguments -s -C $globals '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe 'command' commands ;;
    argument)
      case $line[1] in
${cases}
      esac ;;
  esac
}
if [ "$funcstack[1]" = "_openmcp" ]; then _openmcp "$@"; else compdef _openmcp openmcp; fi`;
}

function zshOption(option: CompletionOption): string {
  const value = option.takesValue
    ? option.choices.length > 0
      ? `:value:(${option.choices.join(" ")})`
      : option.names.includes("--file") || option.names.includes("--db")
        ? ":file:_files"
        : ":value: "
    : "";
  const text = `[${zshText(option.description).replace(/[[\]]/g, "\\$&")}]${value}`;
  const [short, long] = option.names;
  if (long === undefined) return `'${short}${text}'`;
  return `'(${short} ${long})'{${short},${long}}'${text}'`;
}

function zshText(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(":", "\\:");
}

function fish(model: CompletionModel): string {
  const text = (words: string): string => `'${words.replace(/[\\']/g, "\\$&")}'`;
  const option = (one: CompletionOption, condition: string): string => {
    const names = one.names.map((name) =>
      name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
    );
    const files = one.names.includes("--file") || one.names.includes("--db");
    const value = one.takesValue
      ? files
        ? " -r -F"
        : one.choices.length > 0
          ? ` -x -a ${text(one.choices.join(" "))}`
          : " -x"
      : "";
    return `complete -c openmcp${condition} ${names.join(" ")}${value} -d ${text(one.description)}`;
  };
  const lines = model.commands.flatMap((command) => {
    const within = ` -n ${text(`__fish_seen_subcommand_from ${command.name}`)}`;
    const first =
      command.first?.kind === "id"
        ? [`complete -c openmcp${within} -a ${text(`(${IDS})`)} -d relay`]
        : command.first?.kind === "words"
          ? [`complete -c openmcp${within} -a ${text(command.first.words.join(" "))}`]
          : [];
    return [
      `complete -c openmcp -n __fish_use_subcommand -a ${command.name} -d ${text(command.summary)}`,
      ...command.options.map((one) => option(one, within)),
      ...first,
      ...command.actions.flatMap((action) =>
        action.options.map((one) => option(one, ` -n ${text(bothSeen(command.name, action.name))}`)),
      ),
    ];
  });
  return [
    "# openmcp completion for fish",
    "complete -c openmcp -f",
    ...model.globals.map((one) => option(one, "")),
    ...lines,
  ].join("\n");
}

function bothSeen(command: string, action: string): string {
  return `__fish_seen_subcommand_from ${command}; and __fish_seen_subcommand_from ${action}`;
}

/** A command and the commands in it. */
function withActions(command: CompletionCommand): readonly CompletionCommand[] {
  return [command, ...command.actions];
}

function flags(options: readonly CompletionOption[]): string {
  return options.flatMap((option) => option.names.filter((name) => name.startsWith("--"))).join(" ");
}

function uniqueBy(options: readonly CompletionOption[]): readonly CompletionOption[] {
  return [...new Map(options.map((option) => [option.names.join(), option])).values()];
}
