/**
 * A configuration as it may be shown: the same lines, without the values of environments, headers and what else may be a credential,
 * whoever put them there. Pure.
 */
import { type Node, parseTree } from "jsonc-parser";
import { parse } from "smol-toml";
import { isJsonObject } from "../../spec/index.ts";
import { isPlainName, isSecretName } from "../entry.ts";
import type { Format } from "./change.ts";
import { tokensOf } from "./json-tokens.ts";
import { MASK, maskSecrets, maskSentence, maskWords, placeholder } from "./mask-words.ts";
import { type Splice, splice } from "./text-form.ts";
import { headerOf, openString } from "./toml-lines.ts";

/** Objects whose every value is hidden. */
const CLOSETS = new Set(["env", "environment", "headers", "http_headers", "requestInit", "env_http_headers"]);

/** Of these those of variables: some are known to be harmless. */
const VARIABLES = new Set(["env", "environment"]);

/** Members whose text says what runs or where, which is what a person wants to see. */
const PLAIN_TOML = new Set(["command", "url", "enabled", "startup_timeout_sec", "tool_timeout_sec", "type"]);

export function maskConfig(
  text: string,
  { format, secrets = [] }: { readonly format: Format; readonly secrets?: readonly string[] },
): string {
  const masked = format === "json" ? maskJson(text) : maskToml(text);
  return maskSecrets(masked, secrets);
}

function maskJson(text: string): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const root = parseTree(body, [], { allowTrailingComma: true });
  const splices: Splice[] = [];
  const hide = (node: Node, shown: string): void => {
    if (shown !== node.value)
      splices.push({ offset: node.offset, length: node.length, content: JSON.stringify(shown) });
  };
  const visit = (node: Node, closet: boolean, variables = false): void => {
    if (node.type === "array") {
      const words = (node.children ?? []).map((item) => (typeof item.value === "string" ? item.value : ""));
      const shown = maskWords(words);
      for (const [index, item] of (node.children ?? []).entries()) {
        if (item.type === "string") hide(item, closet ? MASK : (shown[index] ?? MASK));
        else visit(item, closet);
      }
    } else if (node.type === "object") {
      for (const member of node.children ?? []) {
        const [key, held] = member.children ?? [];
        if (key === undefined || held === undefined) continue;
        const name = String(key.value);
        const secret =
          (closet && !(variables && isPlainName(name))) || CLOSETS.has(name) || isSecretName(name);
        if (held.type === "string") {
          const value = String(held.value);
          hide(held, secret ? placeholder(value) : maskSentence(value));
        } else if (held.type === "number" && (closet || CLOSETS.has(name))) hide(held, MASK);
        else visit(held, secret, !closet && VARIABLES.has(name));
      }
    }
  };
  if (root !== undefined) visit(root, false);
  return mark + splice(body, [...splices, ...commentSplices(body)]);
}

/** An entry that was commented out is still one: in a comment nothing is shown behind a colon or an equals sign. */
function commentSplices(text: string): readonly Splice[] {
  return [...tokensOf(text)].flatMap(({ offset, text: token }) => {
    if (!/^\/[/*]/.test(token)) return [];
    const content = token
      .split(/(?<=\n)/)
      .map(maskComment)
      .join("");
    return content === token ? [] : [{ offset, length: token.length, content }];
  });
}

function maskComment(line: string): string {
  const [, before, value] = /^([^:=]*[:=]\s*)([^\r\n]*)/.exec(line) ?? [];
  if (before === undefined || value === undefined || value === "") return line;
  return `${before}${MASK}${value.endsWith("*/") ? " */" : ""}${/\r?\n$/.exec(line)?.[0] ?? ""}`;
}

/** Line by line: what is not known to be harmless is hidden. */
function maskToml(text: string): string {
  let open: string | null = null;
  let closet = false;
  let variables = false;
  return text
    .split(/(?<=\n)/)
    .map((line) => {
      const end = /\r?\n$/.exec(line)?.[0] ?? "";
      const body = line.slice(0, line.length - end.length);
      const within = open !== null;
      open = openString(line, open);
      if (within) return `${MASK}${end}`;
      if (/^\s*$/.test(body)) return line;
      if (/^\s*#/.test(body)) return maskComment(line);
      const header = headerOf(body);
      if (header !== null) {
        closet = header.some((key) => CLOSETS.has(key));
        variables = VARIABLES.has(header.at(-1) ?? "");
        return `${/^[^\]]*\]+/.exec(body)?.[0] ?? MASK}${end}`;
      }
      return `${maskMember(body, { closet, variables })}${end}`;
    })
    .join("");
}

function maskMember(
  body: string,
  { closet, variables }: { readonly closet: boolean; readonly variables: boolean },
): string {
  const [, key = "", value = ""] = /^(\s*(?:[A-Za-z0-9_-]+|"[^"]*")\s*=\s*)(.*)$/.exec(body) ?? [];
  if (key === "") return MASK;
  const name = key.replace(/[\s="]/g, "");
  if (!closet && name === "args") return `${key}${maskTomlWords(value)}`;
  if (!closet && VARIABLES.has(name)) return `${key}${maskInlineTable(value)}`;
  const plain = closet ? variables && isPlainName(name) : PLAIN_TOML.has(name);
  return `${key}${plain ? plainTomlValue(value) : MASK}`;
}

/** Of a table on one line its names, and what is harmless; another value is hidden whole. */
function maskInlineTable(value: string): string {
  try {
    const { table } = parse(`table = ${value}`);
    if (!isJsonObject(table) || Object.keys(table).length === 0) return MASK;
    const members = Object.entries(table).map(([name, held]) => {
      const shown = isPlainName(name) && typeof held === "string" ? maskSentence(held) : MASK;
      return `${/^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name)} = ${JSON.stringify(shown)}`;
    });
    return `{ ${members.join(", ")} }`;
  } catch {
    return MASK;
  }
}

function maskTomlWords(value: string): string {
  try {
    const words: unknown = JSON.parse(value);
    if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) return MASK;
    return `[${maskWords(words)
      .map((word) => JSON.stringify(word))
      .join(", ")}]`;
  } catch {
    return MASK;
  }
}

/** A string without escapes, a number, a boolean; whatever else stands there is not told apart. */
function plainTomlValue(value: string): string {
  if (/^[\d._a-z+-]+$/.test(value.trim())) return value;
  const [, double, single] = /^(?:"([^"\\]*)"|'([^']*)')$/.exec(value.trim()) ?? [];
  const text = double ?? single;
  return text === undefined ? MASK : JSON.stringify(maskWords([text])[0]);
}
