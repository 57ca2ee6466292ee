/** Options of install's own that stand among a command's words, behind `--`: they are the command's, and were perhaps not meant so. */

/** Nobody else's, as far as is known. */
const OURS = new Set(["--client", "--scope", "--dry-run", "--relay-token"]);

/** Programs with an `--env` of their own before what they run. */
const CONTAINERS = /(?:^|[\\/])(?:docker|podman|nerdctl)(?:\.exe)?$/;

/** Their names, each once. */
export function misplacedOptions([program = "", ...words]: readonly string[]): readonly string[] {
  const found = words.flatMap((word, at) => {
    const [name = ""] = word.split("=");
    if (OURS.has(name)) return [name];
    const last = at === words.length - 2 && /^[A-Za-z_][A-Za-z0-9_]*=/.test(words[at + 1] ?? "");
    return name === "--env" && last && !CONTAINERS.test(program) ? [name] : [];
  });
  return [...new Set(found)];
}
