/**
 * Query parameters by the form that each should have. Only the form: what the values may be is the operation's to say.
 */
import { OpenMcpError } from "../spec/index.ts";

/** `list`: values with commas between them, or the parameter several times. */
export type ParameterKind = "text" | "count" | "flag" | "list";

/**
 * The parameters that are known, decoded as their kind says; others are ignored. What can't be read so stays a text, for
 * the check of the input to name.
 * @throws OpenMcpError `invalid-input` when one that is no list comes twice.
 */
export function readQuery(url: string, kinds: ReadonlyMap<string, ParameterKind>): Record<string, unknown> {
  const at = url.indexOf("?");
  if (at === -1) return {};
  const input: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(url.slice(at + 1))) {
    const kind = kinds.get(name);
    // A form without a word in it sends `q=`: empty is absent.
    if (kind === undefined || value === "") continue;
    if (kind === "list") {
      const given = (input[name] ?? []) as readonly string[];
      input[name] = [...given, ...value.split(",").filter((item) => item !== "")];
      continue;
    }
    if (Object.hasOwn(input, name)) {
      throw new OpenMcpError("invalid-input", `"${name}" is given twice: give it once`, {
        data: { field: name },
      });
    }
    input[name] = kind === "count" ? asCount(value) : kind === "flag" ? asFlag(value) : value;
  }
  return input;
}

function asCount(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function asFlag(text: string): boolean | string {
  if (text === "1" || text === "true") return true;
  return text === "0" || text === "false" ? false : text;
}
