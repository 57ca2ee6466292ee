/**
 * Fills a remote's template with what a person gave. One pass: what is put in is never looked at again. Where a value stands decides
 * what it may hold, so that the literal parts keep deciding who is called; what comes out still has to pass the network policy.
 */
import { MAX_TEMPLATE_CHARS } from "../limits.ts";
import { fillUrl } from "./fill-url.ts";
import type { FilledPart, InputProblem, RemoteFilling, WantedInput } from "./filling.ts";
import { isSendableHeader } from "./header-name.ts";
import type { Input, KeyValueInput, Remote } from "./server-card.ts";
import { placeholdersOf, templateParts } from "./template.ts";

type Inputs = Readonly<Record<string, string>>;
type Variables = Readonly<Record<string, Input>> | undefined;

/** All inputs of a remote that may be given, each once; those with a `value` of their own are set, and not among them. */
export function remoteInputs(remote: Remote): readonly WantedInput[] {
  const wanted = new Map<string, WantedInput>();
  const add = (entry: WantedInput): void => {
    const before = wanted.get(entry.name);
    if (before === undefined || (entry.required && !before.required)) wanted.set(entry.name, entry);
  };
  for (const name of placeholdersOf(remote.url)) {
    const input = variable(name, [remote.variables]);
    if (input.value === undefined)
      add({ name, where: "variable", required: input.default === undefined, input });
  }
  for (const header of remote.headers ?? []) {
    const names = placeholdersOf(header.value ?? "");
    if (header.value === undefined) {
      const required = header.isRequired === true && header.default === undefined;
      add({ name: header.name, where: "header", required, input: header });
    }
    for (const name of names) {
      const input = variable(name, [header.variables, remote.variables]);
      if (input.value !== undefined) continue;
      add({
        name,
        where: "variable",
        required: header.isRequired === true && input.default === undefined,
        input,
      });
    }
  }
  return [...wanted.values()];
}

/**
 * `inputs`: values by name, of variables and of headers. Each is taken from there, else from the input's `value`, else from its
 * `default`. A header that is not required and for which nothing was given is left out.
 */
export function fillRemote(remote: Remote, inputs: Inputs = {}): RemoteFilling {
  const found = new Map<string, InputProblem>();
  /** The first of each name. */
  const report = (problem: InputProblem): void => {
    if (!found.has(problem.name)) found.set(problem.name, problem);
  };
  if (remote.url.length > MAX_TEMPLATE_CHARS) return { ok: false, problems: [tooLong("url")] };
  const url = fillUrl(fillParts(remote.url, { inputs, report, known: [remote.variables] }), report);
  const headers: [string, string][] = [];
  for (const header of remote.headers ?? []) {
    if ((header.value ?? "").length > MAX_TEMPLATE_CHARS) {
      report(tooLong(header.name));
      continue;
    }
    const value = headerValue(header, { remote, inputs, report });
    if (value === null) continue;
    if (!isSendableHeader(header.name)) {
      report({
        name: header.name,
        problem: "not-a-header",
        message: `"${header.name}" is no header that a client may set`,
      });
    } else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      report({
        name: header.name,
        problem: "not-a-header",
        message: `the value of "${header.name}" can't be sent in a header`,
      });
    } else headers.push([header.name, value]);
  }
  if (found.size > 0 || url === null) return { ok: false, problems: [...found.values()] };
  return { ok: true, url, headers: Object.fromEntries(headers) };
}

interface Filling {
  readonly inputs: Inputs;
  readonly report: (problem: InputProblem) => void;
  readonly known: readonly Variables[];
}

function fillParts(template: string, { inputs, report, known }: Filling): readonly FilledPart[] {
  return templateParts(template).map((part) => {
    if ("literal" in part) return part;
    const name = part.placeholder;
    const value = valueFor(variable(name, known), { name, inputs, report });
    if (value === null) report({ name, problem: "missing", message: `"${name}" is missing` });
    return { name, value };
  });
}

function tooLong(name: string): InputProblem {
  const problem = name === "url" ? "not-a-url" : "not-a-header";
  return { name, problem, message: `the template of "${name}" is over ${MAX_TEMPLATE_CHARS} characters` };
}

/** Null: the header is not sent. */
function headerValue(
  header: KeyValueInput,
  {
    remote,
    inputs,
    report,
  }: { readonly remote: Remote; readonly inputs: Inputs; readonly report: Filling["report"] },
): string | null {
  const names = placeholdersOf(header.value ?? "");
  const known = [header.variables, remote.variables];
  if (given(header.name, inputs) !== null || names.length === 0) {
    const value = valueFor(header, { name: header.name, inputs, report });
    if (value === null && header.isRequired === true) {
      report({ name: header.name, problem: "missing", message: `the header "${header.name}" is missing` });
    }
    return value;
  }
  const isWanted =
    header.isRequired === true ||
    names.some((name) => given(name, inputs) !== null) ||
    names.every((name) => presetOf(variable(name, known)) !== undefined);
  if (!isWanted) return null;
  return fillParts(header.value ?? "", { inputs, report, known })
    .map((part) => ("literal" in part ? part.literal : (part.value ?? "")))
    .join("");
}

/** Null: there is none, or it was reported. */
function valueFor(
  input: Input,
  {
    name,
    inputs,
    report,
  }: { readonly name: string; readonly inputs: Inputs; readonly report: Filling["report"] },
): string | null {
  const value = given(name, inputs) ?? presetOf(input) ?? null;
  if (value === null) return null;
  // NUL too: what ends a line or a text somewhere behind us.
  if (/[\r\n\0]/.test(value)) {
    report({ name, problem: "line-break", message: `the value of "${name}" has a line break in it` });
    return null;
  }
  if (input.choices !== undefined && !input.choices.includes(value)) {
    report({
      name,
      problem: "not-a-choice",
      message: `"${name}" is one of: ${input.choices.slice(0, MAX_NAMED).join(", ")}`,
    });
    return null;
  }
  if (!isOfFormat(value, input.format)) {
    report({ name, problem: "not-of-its-format", message: `"${name}" is a ${input.format}` });
    return null;
  }
  return value;
}

/** An empty text is nothing that was given. */
function given(name: string, inputs: Inputs): string | null {
  const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  return value === undefined || value === "" ? null : value;
}

function presetOf(input: Input): string | undefined {
  return input.value ?? input.default;
}

function variable(name: string, known: readonly Variables[]): Input {
  for (const variables of known) {
    const input = variables !== undefined && Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (input !== undefined) return input;
  }
  return {};
}

function isOfFormat(value: string, format: Input["format"]): boolean {
  if (format === "boolean") return value === "true" || value === "false";
  if (format === "number")
    return /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?$/.test(value);
  return true;
}

/** Choices that a message names. */
const MAX_NAMED = 20;
