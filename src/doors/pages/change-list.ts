/** What changed and when, newest first, in words. */
import { html } from "hono/html";
import type { ChangeDetail, RecentChange, ToolDiff } from "../../spec/index.ts";
import { MAX_CHANGED_TOOLS } from "./limits.ts";
import { ago, code, cut, type Markup, relayPath, said } from "./markup.ts";
import { eventWords } from "./words.ts";

export function changeList(
  changes: readonly RecentChange[],
  { now, named }: { readonly now: number; readonly named: boolean },
): Markup {
  if (changes.length === 0) return html`<p class="soft">Nothing that is still kept.</p>`;
  return html`<ol class="changes">${changes.map((change) => {
    const parts = change.detail === null ? [] : detailWords(change.detail);
    const tone = toneOf(change.event);
    return html`<li><span class="when">${ago(change.at, now)}</span><div><p><span class="event ${tone}">${eventWords[change.event]}</span>${named ? html` ${change.event === "relay.removed" ? code(change.relay, 120) : html`<a href="${relayPath(change.relay)}">${said(change.relay, 120)}</a>`}` : ""}</p>${parts.length === 0 ? "" : html`<ul class="parts">${parts.map((part) => html`<li>${toneless(part)}</li>`)}</ul>`}</div></li>`;
  })}</ol>`;
}

interface Part {
  readonly words: string;
  /** Names, the relay's own. */
  readonly names: readonly string[];
}

/** What an update changed, for whoever reads it: in HTML here, in plain text in a feed. */
export function detailWords({ tools, descriptor, verified, toolsFrom }: ChangeDetail): readonly Part[] {
  return [
    ...(verified === undefined
      ? []
      : [
          {
            words: verified ? "its origin vouches for it now" : "its origin vouches for it no longer",
            names: [],
          },
        ]),
    ...(tools === undefined ? [] : toolWords(tools)),
    ...(descriptor === undefined ? [] : [{ words: "its own word about", names: descriptor.map(fieldName) }]),
    ...(toolsFrom === undefined
      ? []
      : [
          {
            words:
              toolsFrom === "descriptor"
                ? "its tools are its descriptor's word now"
                : "its tools come from itself again",
            names: [],
          },
        ]),
  ];
}

function toolWords({ added, removed, changed, renamed }: ToolDiff): readonly Part[] {
  const part = (words: string, names: readonly string[]): Part[] =>
    names.length === 0 ? [] : [{ words, names }];
  return [
    ...part(added.length === 1 ? "new tool" : "new tools", added),
    ...part(removed.length === 1 ? "tool gone" : "tools gone", removed),
    ...part(
      changed.length === 1 ? "tool changed" : "tools changed",
      changed.map(({ name }) => name),
    ),
    ...part(
      "renamed",
      renamed.map(({ from, to }) => `${cut(from, 60)} → ${cut(to, 60)}`),
    ),
  ];
}

/** `/auth/kind` as `auth kind`. */
function fieldName(pointer: string): string {
  return pointer === ""
    ? "everything"
    : pointer.slice(1).replaceAll("/", " ").replaceAll("~1", "/").replaceAll("~0", "~");
}

/** One part in plain text. */
export function partText({ words, names }: Part): string {
  if (names.length === 0) return words;
  const shown = names.slice(0, MAX_CHANGED_TOOLS).map((name) => cut(name, 80));
  const more = names.length - shown.length;
  return `${words}: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function toneless({ words, names }: Part): Markup {
  const shown = names.slice(0, MAX_CHANGED_TOOLS);
  const more = names.length - shown.length;
  return html`${words}${names.length === 0 ? "" : html`: ${shown.map((name, at) => html`${at === 0 ? "" : ", "}${code(name, 80)}`)}${more > 0 ? ` and ${more} more` : ""}`}`;
}

function toneOf(event: RecentChange["event"]): string {
  if (event === "relay.online" || event === "relay.registered") return "good";
  return event === "relay.offline" || event === "relay.removed" ? "bad" : "";
}
