/**
 * Texts of strangers. They are text nodes and nothing else: no markup is read from them, their writing direction stays inside their box,
 * long ones are cut until somebody asks. A link leads to http and https only.
 */
import { useState } from "preact/hooks";
import { MAX_TEXT, SHORT_TEXT } from "../limits.ts";

/** A name on one line. */
export function Name({ text, code }: { readonly text: string; readonly code?: boolean }) {
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return code === true ? (
    <bdi class="name mono" translate={false}>
      {shown}
    </bdi>
  ) : (
    <bdi class="name">{shown}</bdi>
  );
}

/** Prose, or anything with lines. */
export function Prose({ text, class: name = "" }: { readonly text: string; readonly class?: string }) {
  const [whole, setWhole] = useState(false);
  const long = text.length > SHORT_TEXT + 80;
  const shown = whole || !long ? text.slice(0, MAX_TEXT) : `${text.slice(0, SHORT_TEXT).trimEnd()}…`;
  return (
    <div class={`prose ${name}`}>
      <p dir="auto">{shown}</p>
      {long && (
        <button type="button" class="quiet" onClick={() => setWhole(!whole)} aria-expanded={whole}>
          {whole ? "Show less" : "Show all"}
        </button>
      )}
    </div>
  );
}

/** The URL when it is one that may be followed; else null. */
export function safeUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "http:" || url.protocol === "https:" ? url : null;
}

export function Link({ href, children }: { readonly href: string; readonly children?: string }) {
  const url = safeUrl(href);
  if (url === null) return <Name text={href} code />;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{children ?? href}</bdi>
    </a>
  );
}

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour12: false });
}
