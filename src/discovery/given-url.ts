/**
 * Reads what a person gives to register or to discover: a descriptor's URL, an MCP endpoint, a site, or a host without a scheme.
 * Pure; whether anyone may go there is the network policy's word, not this module's.
 */
import { MAX_GIVEN_CHARS } from "./limits.ts";

export type GivenUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string };

/**
 * The absolute URL that was meant, without fragment. A missing scheme is https, and http for `localhost` and loopback
 * addresses, where certificates are rare. `problem` is a sentence that says what to give instead.
 */
export function parseGivenUrl(text: string): GivenUrl {
  const given = text.trim();
  if (given === "") return refuse("nothing was given: give a site, an MCP endpoint or a descriptor");
  if (given.length > MAX_GIVEN_CHARS) return refuse(`the URL is longer than ${MAX_GIVEN_CHARS} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop some control characters in silence
  if (/[\s\u0000-\u001f\u007f]/.test(given)) return refuse("a URL has no white space in it");
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(given)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") {
    return refuse(`"${scheme}:" is no scheme of a relay: give an http or https URL`);
  }
  const absolute = scheme === undefined ? withScheme(given.replace(/^\/\//, "")) : given;
  if (!URL.canParse(absolute)) return refuse("not a URL: give one such as https://relay.example/mcp");
  const url = new URL(absolute);
  if (/^\.*$/.test(url.hostname)) return refuse("the URL names no host");
  if (url.username !== "" || url.password !== "") {
    return refuse("a URL with a user name or password in it is not taken: OpenMCP holds no credentials");
  }
  url.hash = "";
  return { ok: true, url: url.href };
}

function withScheme(given: string): string {
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[:/?#]|$)/i.test(given);
  return `${loopback ? "http" : "https"}://${given}`;
}

function refuse(problem: string): GivenUrl {
  return { ok: false, problem };
}
