/**
 * A configuration as it may be shown: the same lines, without the values of environments, headers and what else may be a credential,
 * whoever put them there. Pure.
 */
import { type Node, parseTree } from "jsonc-parser";
import { isSecretName } from "../entry.ts";
import { MIN_SECRET_CHARS } from "../limits.ts";
import type { Format } from "./change.ts";
import { type Splice, splice } from "./text-form.ts";

export const MASK = "•••";

/** Objects whose every value is hidden. */
const CLOSETS = new Set(["env", "environment", "headers", "http_headers", "requestInit", "env_http_headers"]);

/** Members whose text says what runs or where, which is what a person wants to see. */
const PLAIN_TOML = new Set(["command", "url", "enabled", "startup_timeout_sec", "tool_timeout_sec", "type"]);

export function maskConfig(
  text: string,
  { format, secrets = [] }: { readonly format: Format; readonly secrets?: readonly string[] },
): string {
  const masked = format === "json" ? maskJson(text) : maskToml(text);
  return maskSecrets(masked, secrets);
}

/** These values, wherever they stand. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return [...secrets]
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .sort((one, other) => other.length - one.length)
    .reduce(
      (masked, secret) =>
        masked.replaceAll(secret, MASK).replaceAll(JSON.stringify(secret).slice(1, -1), MASK),
      text,
    );
}

/** Words of a command, those that may be credentials hidden: the value behind `--token`, of `--token=…`, in a URL. */
export function maskWords(words: readonly string[]): readonly string[] {
  return words.map((word, index) => {
    const option = /^(--?[\w-]+=)(.*)$/s.exec(word);
    if (option !== null && isSecretOption(option[1] ?? "")) return `${option[1]}${MASK}`;
    const before = words[index - 1];
    if (before !== undefined && /^--?[A-Za-z][\w-]*$/.test(before) && isSecretOption(before))
      return placeholder(word);
    return maskUrl(word);
  });
}

function isSecretOption(option: string): boolean {
  return isSecretName(option.replace(/^-+|=$/g, "").replaceAll("-", "_")) || /^--?(?:H$|header)/.test(option);
}

/** A reference to a variable is no secret, and a header's name is none. */
function placeholder(value: string): string {
  if (/\$\{[^}]+\}/.test(value)) return value;
  const header = /^([A-Za-z0-9-]{1,64}):/.exec(value);
  return header === null ? MASK : `${header[1]}: ${MASK}`;
}

function maskUrl(word: string): string {
  if (!/^https?:\/\//i.test(word) || !URL.canParse(word)) return word;
  const url = new URL(word);
  if (url.username === "" && url.password === "" && url.search === "") return word;
  const user = url.username === "" && url.password === "" ? "" : `${MASK}@`;
  return `${url.protocol}//${user}${url.host}${url.pathname}${url.search === "" ? "" : `?${MASK}`}`;
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
  const visit = (node: Node, closet: boolean): void => {
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
        const secret = closet || CLOSETS.has(name) || isSecretName(name);
        if (held.type === "string") {
          const value = String(held.value);
          hide(held, secret ? placeholder(value) : maskUrl(value));
        } else visit(held, secret);
      }
    }
  };
  if (root !== undefined) visit(root, false);
  return mark + splice(body, splices);
}

/** Line by line: what is not known to be harmless is hidden. */
function maskToml(text: string): string {
  return text
    .split(/(?<=\n)/)
    .map((line) => {
      const end = /\r?\n$/.exec(line)?.[0] ?? "";
      const body = line.slice(0, line.length - end.length);
      if (/^\s*(?:#.*|\[.*\]\s*(?:#.*)?)?$/.test(body)) return line;
      const member = /^(\s*(?:[A-Za-z0-9_-]+|"[^"]*")\s*=\s*)(.*)$/.exec(body);
      if (member === null) return `${MASK}${end}`;
      const [, key = "", value = ""] = member;
      const name = key.replace(/[\s="]/g, "");
      if (name === "args") return `${key}${maskTomlWords(value)}${end}`;
      return PLAIN_TOML.has(name) ? `${key}${maskTomlUrl(value)}${end}` : `${key}${MASK}${end}`;
    })
    .join("");
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

function maskTomlUrl(value: string): string {
  const text = /^"([^"\\]*)"$/.exec(value.trim())?.[1];
  return text === undefined ? value : JSON.stringify(maskUrl(text));
}
