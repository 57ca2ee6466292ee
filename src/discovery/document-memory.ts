/**
 * What an answer allows to remember of a document (RFC 9111, RFC 9110 section 8.8): validators to ask for it again by,
 * and for how long it may be taken for granted. Pure; it fetches nothing and keeps nothing.
 */
import type { DocumentMemory } from "../spec/index.ts";
import { MAX_FRESH_SECONDS, MAX_VALIDATOR_CHARS } from "./limits.ts";

/** `headers` with lower-case names; `now` in milliseconds since the epoch. */
export function rememberDocument(
  url: string,
  headers: Readonly<Record<string, string>>,
  now: number,
): DocumentMemory {
  return {
    url,
    etag: validator(headers.etag),
    lastModified: validator(headers["last-modified"]),
    readAt: new Date(now).toISOString(),
    freshSeconds: freshSeconds(headers),
  };
}

/** The memory after a 304: what it repeats is new, what it leaves out stays (RFC 9111 section 4.3.4). */
export function renewMemory(
  memory: DocumentMemory,
  headers: Readonly<Record<string, string>>,
  now: number,
): DocumentMemory {
  const heard = rememberDocument(memory.url, headers, now);
  return {
    ...heard,
    etag: heard.etag ?? memory.etag,
    lastModified: heard.lastModified ?? memory.lastModified,
    freshSeconds: headers["cache-control"] === undefined ? memory.freshSeconds : heard.freshSeconds,
  };
}

/** True while the document need not be asked for. A memory of a time to come is none: the clock was set back. */
export function isFresh(memory: DocumentMemory, now: number): boolean {
  const age = now - Date.parse(memory.readAt);
  return age >= 0 && age < memory.freshSeconds * 1_000;
}

/** The headers that make a request conditional; empty when there is nothing to make it by. */
export function conditions(memory: DocumentMemory): Readonly<Record<string, string>> {
  return {
    ...(memory.etag === null ? {} : { "if-none-match": memory.etag }),
    ...(memory.lastModified === null ? {} : { "if-modified-since": memory.lastModified }),
  };
}

/** A shared cache's reading of `Cache-Control`, less the `Age` it came with; 0 where it says nothing. */
function freshSeconds(headers: Readonly<Record<string, string>>): number {
  const directives = (headers["cache-control"] ?? "").toLowerCase().split(",");
  const named = (name: string) => directives.some((directive) => directive.trim().split("=")[0] === name);
  if (named("no-store") || named("no-cache") || named("private")) return 0;
  const seconds = secondsOf(directives, "s-maxage") ?? secondsOf(directives, "max-age") ?? 0;
  const age = /^\d{1,9}$/.test(headers.age ?? "") ? Number(headers.age) : 0;
  return Math.min(MAX_FRESH_SECONDS, Math.max(0, seconds - age));
}

function secondsOf(directives: readonly string[], name: string): number | null {
  for (const directive of directives) {
    const [key = "", value = ""] = directive.trim().split("=", 2);
    const seconds = /^"?(\d{1,9})"?$/.exec(value.trim())?.[1];
    if (key.trim() === name && seconds !== undefined) return Number(seconds);
  }
  return null;
}

/** As it was sent, when a request can carry it back. */
function validator(value: string | undefined): string | null {
  if (value === undefined || value === "" || value.length > MAX_VALIDATOR_CHARS) return null;
  return /^[\x20-\x7e]+$/.test(value) ? value : null;
}
