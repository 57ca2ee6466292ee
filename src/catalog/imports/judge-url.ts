/**
 * Whether a URL out of somebody's list is one to look at: a real address of a server that others can reach. Lists are full of
 * examples, of people's own machines and of templates. Pure; whether the catalog may go there is the network policy's word.
 */
import { canonicalEndpoint, type ImportSkip, isPrivateHost } from "../../spec/index.ts";
import { MAX_URL_CHARS } from "../limits.ts";

export type JudgedUrl =
  | { readonly ok: true; readonly url: string; readonly endpoint: string }
  | { readonly ok: false; readonly skip: ImportSkip };

export interface Whereabouts {
  /** This catalog's own endpoint, canonical. */
  readonly own: string;
  /** The document that names the URL. One at a local or private address speaks of its own network, and is taken at its word. */
  readonly from?: string | undefined;
}

export function judgeUrl(text: string, { own, from }: Whereabouts): JudgedUrl {
  const given = text.trim();
  if (isTemplate(given)) return skip("placeholder");
  if (given.length > MAX_URL_CHARS || !URL.canParse(given)) return skip("unusable-url");
  const url = new URL(given);
  if (url.protocol !== "http:" && url.protocol !== "https:") return skip("unusable-url");
  if (url.username !== "" || url.password !== "") return skip("unusable-url");
  url.hash = "";
  const host = url.hostname.replace(/\.$/, "");
  if (isPlaceholder(host)) return skip("placeholder");
  if (isPrivateHost(host) && !isOfOwnNetwork(from)) return skip("localhost");
  const endpoint = canonicalEndpoint(url.href);
  if (endpoint === own) return skip("this-catalog");
  return { ok: true, url: url.href, endpoint };
}

function isOfOwnNetwork(document: string | undefined): boolean {
  return document !== undefined && URL.canParse(document) && isPrivateHost(new URL(document).hostname);
}

/** Names that are reserved for documents (RFC 2606, RFC 6761), and those that people write for "put yours here". */
function isPlaceholder(host: string): boolean {
  if (/(?:^|\.)(?:example(?:\.[a-z]+)?|test|invalid)$/i.test(host)) return true;
  return host
    .split(".")
    .some((label) =>
      /^(?:your-[a-z0-9-]+|your(?:app|api|company|domain|host|instance|name|org|project|server|site|subdomain|tenant|user|username|worker|workspace)|my(?:domain|company)|placeholder|change-?me|replace-me|x{3,})$/i.test(
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
