/**
 * What every page writes with: foreign text, numbers, times and links as HTML. All that a relay says goes through `said`: escaped by
 * the template, cut to a readable length, and isolated, so that no direction mark in it turns what stands around it.
 */
import { html } from "hono/html";

export type Markup = ReturnType<typeof html> | "";

/** A relay's own words, at most `max` characters of them. */
export function said(text: string, max: number): Markup {
  return html`<bdi>${cut(text, max)}</bdi>`;
}

/** The same as code: names, ids and URLs. */
export function code(text: string, max = 200): Markup {
  return html`<code dir="auto">${cut(text, max)}</code>`;
}

/** At most `max` characters, an ellipsis for the rest; never half a character, none that HTML has no place for, and never nothing to see. */
export function cut(text: string, max: number): string {
  if (text.length <= max && PLAIN.test(text)) return text;
  const whole = text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
  return visible(whole.toWellFormed().replace(NO_TEXT, "\ufffd"));
}

/** The same for where nothing isolates it, such as a title: without the marks that turn the direction of what follows. */
export function level(text: string, max: number): string {
  return cut(text.slice(0, 2 * max).replace(DIRECTION_MARKS, ""), max);
}

/** JSON to be read, in lines: a direction mark in a string is written as its escape, which is the same JSON and turns nothing. */
export function legibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    DIRECTION_MARKS,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What most texts are, and nothing has to be done about: told at once, since a page cuts thousands. */
const PLAIN = /^[\x21-\x7e][\x20-\x7e]*$/;

/** JSON in one line, to be pasted: what is not seen, or turns what is, stands as its escape, which is the same JSON. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (unseen) =>
    unseen.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** What no reader sees or what changes how the rest is seen: controls, formats, surrogates, private use, separators of lines. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Text that is what it looks like. */
export function isSeen(text: string): boolean {
  return text.trim() !== "" && text.search(UNSEEN) === -1;
}

/** Controls and non-characters (HTML standard, "Preprocessing the input stream"), but for tab and the ends of lines. */
const NO_TEXT = /[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{fdcf}\u{fdf0}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** All that Unicode's bidirectional algorithm takes for an instruction (UAX #9). */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A name of nothing but spaces and marks is a link that nobody sees: its code points are what there is to say of it. */
function visible(text: string): string {
  if (text === "" || /[^\p{Z}\p{C}\p{DI}\u2800]/u.test(text)) return text;
  const points = Array.from(
    text.slice(0, 16),
    (char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
  return `${points.slice(0, 4).join(" ")}${points.length > 4 ? " …" : ""}`;
}

/** One for all: to make one costs more than a row of the directory. */
const english = new Intl.NumberFormat("en");

/** `1,234`. */
export function amount(count: number): string {
  return count < 1_000 ? String(count) : english.format(count);
}

/** `1 relay`, `1,234 relays`. */
export function number(count: number, thing: string): string {
  return `${amount(count)} ${thing}${count === 1 ? "" : "s"}`;
}

/** To a page of somebody else's; text alone where the URL is not http(s). */
export function outward(url: string, text: string = url): Markup {
  const shown = said(text, 200);
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noopener noreferrer nofollow">${shown}</a>`
    : html`${shown}`;
}

/** A relay's page with one tool meant; `part`: where on it. A name that is no text is matched as what stands for it in a URL. */
export function toolPath(id: string, tool: string, part: "tools" | "call"): string {
  return `${relayPath(id)}?tool=${encodeURIComponent(tool.toWellFormed())}#${part}`;
}

/** The Explorer, with this relay and one of its tools open. */
export function tryPath(id: string, tool: string): string {
  return `/explorer?relay=${encodeURIComponent(id)}#/tools/${encodeURIComponent(tool.toWellFormed())}`;
}

/** The directory with one tag chosen. */
export function tagPath(tag: string): string {
  return `/?tag=${encodeURIComponent(tag.toWellFormed())}`;
}

export function relayPath(id: string): string {
  return `/relays/${encodeURIComponent(id)}`;
}

/** Where the REST door has the relay. */
export function apiPath(id: string): string {
  return `/v1/relays/${encodeURIComponent(id)}`;
}

/** How long ago, with the exact time behind it. `now` in milliseconds since the epoch. */
export function ago(iso: string, now: number): Markup {
  const exact = exactTime(iso);
  return html`<time datetime="${iso}" title="${exact}">${agoWords(now - Date.parse(iso)) ?? exact.slice(0, 11).trim()}</time>`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Null when so long ago that a date says more. */
function agoWords(ms: number): string | null {
  if (ms < MINUTE) return "just now";
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`;
  if (ms < 30 * DAY) return `${number(Math.floor(ms / DAY), "day")} ago`;
  return null;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `30 Nov 2026, 21:55 UTC`. */
export function exactTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return cut(iso, 40);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} UTC`;
}

/** Code to copy: it scrolls by itself and with the keyboard; the button shows where script runs. */
export function codeBlock(text: string, label: string): Markup {
  return html`<div class="block"><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre><button type="button" class="copy" hidden>Copy<span class="away"> ${label}</span></button></div>`;
}

/** A sentence as people write it; one that begins with a URL, a method or a quotation keeps its beginning. */
export function sentence(text: string): string {
  const whole = text.trim();
  if (whole === "") return "";
  const begin = /^[a-z]+(?![\w:/])/.test(whole) ? whole.charAt(0).toUpperCase() : whole.charAt(0);
  return `${begin}${whole.slice(1)}${/[.!?…]$/.test(whole) ? "" : "."}`;
}
