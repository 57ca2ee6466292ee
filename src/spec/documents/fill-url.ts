/**
 * Puts values into a URL's template so that scheme, host and the order of its parts stay what the literal parts say. In the host a
 * value is host characters; in the path it can't climb, end the path or begin a query; behind `?` it is one value. A template that
 * begins with a placeholder leaves scheme and host to the value, which is then a URL itself.
 */
import type { FilledPart, InputProblem } from "./filling.ts";

type Report = (problem: InputProblem) => void;

/** Where in a URL the next character stands. */
type Position = "start" | "scheme" | "authority" | "path" | "query";

/** Null when something was reported. */
export function fillUrl(parts: readonly FilledPart[], report: Report): string | null {
  let position: Position = "start";
  let filled = "";
  let ok = true;
  const hosts: string[] = [];
  for (const [index, part] of parts.entries()) {
    if ("literal" in part) {
      filled += part.literal;
      position = behind(filled);
      continue;
    }
    if (part.value === null) {
      ok = false;
      continue;
    }
    const next = parts[index + 1];
    const following = next !== undefined && "literal" in next ? next.literal : "";
    if (position === "start") position = following.startsWith("://") ? "scheme" : "start";
    const put = place(part.value, { position, following });
    if (put === null) {
      ok = false;
      report({ name: part.name, problem: "changes-the-target", message: faults[position](part.name) });
      continue;
    }
    if (position === "authority") hosts.push(part.name);
    filled += put;
    position = behind(filled);
  }
  if (!ok) return null;
  const names = parts.flatMap((part) => ("name" in part ? [part.name] : []));
  const problem = faultOf(filled);
  if (problem === null) return filled;
  const name = hosts[0] ?? names[0] ?? "url";
  report({ name, problem: "not-a-url", message: problem });
  return null;
}

/** What stands at the end of a beginning of a URL. */
function behind(text: string): Position {
  const rest = /^[a-zA-Z][a-zA-Z0-9+.-]*:\/\//.exec(text)?.[0];
  if (rest === undefined) return text === "" ? "start" : "scheme";
  const inside = text.slice(rest.length);
  if (/[?#]/.test(inside)) return "query";
  return /[/\\]/.test(inside) ? "path" : "authority";
}

/** What is put in for a value; null where it would point elsewhere. */
function place(
  value: string,
  { position, following }: { readonly position: Position; readonly following: string },
): string | null {
  switch (position) {
    case "start": {
      const isWhole = following === "" || /^[/?#]/.test(following);
      const { wholeBase, hostBase } = hostPatterns();
      const base = isWhole ? wholeBase : hostBase;
      if (!base.test(value)) return null;
      // `https://h/` before `/mcp` is one slash.
      return following.startsWith("/") && value.endsWith("/") ? value.slice(0, -1) : value;
    }
    case "scheme":
      return value === "https" || value === "http" ? value : null;
    case "authority":
      return hostPatterns().part.test(value) ? value : null;
    case "path":
      return climbs(value) || /[?#]/.test(value) ? null : encodeRest(value);
    case "query":
      return encodeURIComponent(value.toWellFormed());
  }
}

const faults: Readonly<Record<Position, (name: string) => string>> = {
  start: (name) => `"${name}" is an http or https URL without credentials, query and fragment`,
  scheme: (name) => `"${name}" is https or http`,
  authority: (name) => `"${name}" is a part of a host name: letters, digits, dots and hyphens`,
  path: (name) => `"${name}" is a part of a path: no "..", "?" or "#"`,
  query: (name) => `"${name}" can't stand in the query`,
};

/** Letters of any language: a host name may be written in them. A port may follow. */
const HOST = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]{0,252}`;
const PORT = String.raw`(?::\d{1,5})?`;

interface HostPatterns {
  readonly part: RegExp;
  readonly hostBase: RegExp;
  readonly wholeBase: RegExp;
}

let made: HostPatterns | null = null;

/** Made when one is first asked for: Unicode's classes cost milliseconds of a start, as literals even where they are never used. */
function hostPatterns(): HostPatterns {
  made ??= {
    part: new RegExp(String.raw`^${HOST}${PORT}$|^\d{1,5}$`, "u"),
    hostBase: new RegExp(String.raw`^https?:\/\/${HOST}${PORT}$`, "iu"),
    wholeBase: new RegExp(
      String.raw`^https?:\/\/(?:${HOST}|\[[0-9a-f:.]{2,45}\])${PORT}(?:\/[^\s?#\\]*)?$`,
      "iu",
    ),
  };
  return made;
}

/** A segment that means another directory, encoded or not. */
function climbs(value: string): boolean {
  return value.split(/[/\\]/).some((segment) => segment === "." || segment === "..");
}

/** All that a path may hold stays as it is, `$&` and `/` too; the rest is encoded, `%` and `\` among it: a value is no encoding. */
function encodeRest(value: string): string {
  return value
    .toWellFormed()
    .replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/]/gu, (char) => encodeURIComponent(char));
}

/** Null: it is a URL, and says what it seems to say. */
function faultOf(filled: string): string | null {
  // A parser would drop line breaks and tabs without a word.
  if (/\s/.test(filled) || !URL.canParse(filled)) return "what comes out is no URL";
  const url = new URL(filled);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "what comes out is no http or https URL";
  if (url.username !== "" || url.password !== "") return "what comes out carries a credential";
  // Parts that are harmless alone may climb together: `{a}{b}` with "." and ".".
  const path = filled.replace(/^[^:]*:\/\/[^/?#\\]*/, "").split(/[?#]/, 1)[0] ?? "";
  if (climbs(path)) return 'what comes out has a ".." in its path';
  return null;
}
