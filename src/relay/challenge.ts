/**
 * What a 401 or 403 says about how to get in: `WWW-Authenticate` (RFC 9110 section 11.6.1), several challenges in one header
 * or several headers joined, and the address of the protected-resource metadata (RFC 9728 section 5.1).
 * The official client has a parser too; it knows Bearer and DPoP in first place only, drops the realm, and brings the whole
 * client and its schemas along, so this one is ours.
 */
import type { AuthChallenge } from "../spec/index.ts";
import { MAX_QUOTED_LENGTH } from "./limits.ts";

interface Challenge {
  readonly scheme: string;
  /** Names in lower case; the first of a name counts. */
  readonly parameters: Map<string, string>;
}

/** The challenge to act on: the first that names a metadata document, else Bearer, else the first. Null without one. */
export function parseChallenge(header: string | undefined): AuthChallenge | null {
  const challenges = header === undefined ? [] : parse(header);
  const chosen =
    challenges.find(({ parameters }) => parameters.has("resource_metadata")) ??
    challenges.find(({ scheme }) => scheme.toLowerCase() === "bearer") ??
    challenges[0];
  if (chosen === undefined) return null;
  return {
    scheme: chosen.scheme.slice(0, MAX_QUOTED_LENGTH),
    realm: short(chosen.parameters.get("realm")),
    scope: short(chosen.parameters.get("scope")),
    resourceMetadata: httpUrl(chosen.parameters.get("resource_metadata")),
  };
}

function parse(header: string): readonly Challenge[] {
  const challenges: Challenge[] = [];
  let at = 0;

  /** What `pattern` (sticky) matches here; moves past it. */
  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const match = pattern.exec(header);
    if (match !== null) at = pattern.lastIndex;
    return match;
  }

  while (at < header.length) {
    take(/[\s,]+/y);
    const token = take(/[!#$%&'*+\-.^_`|~\w]+/y)?.[0];
    if (token === undefined) {
      at++;
    } else if (take(/\s*=\s*/y) !== null) {
      const value = take(/"((?:[^"\\]|\\.)*)"|[^\s,]*/y);
      const text = value?.[1]?.replace(/\\(.)/g, "$1") ?? value?.[0] ?? "";
      const { parameters } = challenges.at(-1) ?? { parameters: new Map<string, string>() };
      const name = token.toLowerCase();
      if (!parameters.has(name)) parameters.set(name, text);
    } else {
      challenges.push({ scheme: token, parameters: new Map() });
      // A token68, as in `Negotiate YII=`: nothing in it is for us.
      take(/\s+[\w\-.~+/]+=*(?=\s*(?:,|$))/y);
    }
  }
  return challenges;
}

function short(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text.slice(0, MAX_QUOTED_LENGTH);
}

function httpUrl(text: string | undefined): string | null {
  if (text === undefined || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
}
