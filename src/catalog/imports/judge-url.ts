/**
 * Whether a URL out of somebody's list is one to look at: a real address of a server that others can reach. Lists are full of
 * examples, of people's own machines and of templates. Pure; whether the catalog may go there is the network policy's word.
 */
import { canonicalEndpoint, type ImportSkip } from "../../spec/index.ts";
import { MAX_URL_CHARS } from "../limits.ts";

export type JudgedUrl =
  | { readonly ok: true; readonly url: string; readonly endpoint: string }
  | { readonly ok: false; readonly skip: ImportSkip };

/** `own`: this catalog's own endpoint, canonical. */
export function judgeUrl(text: string, own: string): JudgedUrl {
  const given = text.trim();
  if (isTemplate(given)) return skip("placeholder");
  if (given.length > MAX_URL_CHARS || !URL.canParse(given)) return skip("unusable-url");
  const url = new URL(given);
  if (url.protocol !== "http:" && url.protocol !== "https:") return skip("unusable-url");
  if (url.username !== "" || url.password !== "") return skip("unusable-url");
  url.hash = "";
  const host = url.hostname.replace(/\.$/, "");
  if (isLocal(host)) return skip("localhost");
  if (isPlaceholder(host)) return skip("placeholder");
  if (!host.includes(".") && !host.startsWith("[")) return skip("unusable-url");
  const endpoint = canonicalEndpoint(url.href);
  if (endpoint === own) return skip("this-catalog");
  return { ok: true, url: url.href, endpoint };
}

/** A name of this machine, or an address that means another machine in every network. */
export function isLocal(host: string): boolean {
  if (/(?:^|\.)(?:localhost|local|internal|lan|home\.arpa|localdomain)$/i.test(host)) return true;
  // The URL parser has brought every spelling of an IPv4 address to four numbers.
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isPrivateIpv4(host.split(".").map(Number));
  return /^\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*|::ffff:.*)\]$/i.test(host);
}

function isPrivateIpv4([first = 0, second = 0]: readonly number[]): boolean {
  return (
    first === 0 ||
    first === 10 ||
    first === 127 ||
    (first === 100 && second >= 64 && second < 128) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168)
  );
}

/** Names that are reserved for documents (RFC 2606, RFC 6761), and those that people write for "put yours here". */
function isPlaceholder(host: string): boolean {
  if (/(?:^|\.)(?:example(?:\.[a-z]+)?|test|invalid)$/i.test(host)) return true;
  return host
    .split(".")
    .some((label) =>
      /^(?:your-?(?:[a-z]+-)?[a-z]*(?:-(?:name|id|here|url))?|my(?:domain|company)|placeholder|change-?me|replace-me|x{3,})$/i.test(
        label,
      ),
    );
}

/** Braces, angle brackets or a shell's variable, as they are or encoded: somebody was to fill it in. */
function isTemplate(text: string): boolean {
  return /[{}<>]|%7b|%7d|%3c|%3e|\$[A-Z_]{2}/i.test(text);
}

function skip(reason: ImportSkip): JudgedUrl {
  return { ok: false, skip: reason };
}
