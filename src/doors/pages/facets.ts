/**
 * Ways to narrow the directory, as links: each value with how many relays it leaves, where that is cheap to know (not for words and
 * tags, which would be counted by reading all). A link to a value that is chosen takes it away again.
 */
import { html, raw } from "hono/html";
import type { CountsOutput, FacetCount, TagCount } from "../../spec/index.ts";
import { type DirectoryQuery, directoryPath } from "./directory-query.ts";
import { amount, level, type Markup, said } from "./markup.ts";
import { authWords, eraWords } from "./words.ts";

interface Value {
  readonly words: string;
  readonly changed: Partial<DirectoryQuery>;
  readonly matches: (count: FacetCount) => boolean;
}

interface Group {
  readonly name: "online" | "verified" | "auth" | "era";
  readonly title: string;
  readonly values: readonly Value[];
}

const groups: readonly Group[] = [
  {
    name: "online",
    title: "Answers",
    values: [
      { words: "Online", changed: { online: true }, matches: (count) => count.online },
      { words: "Offline", changed: { online: false }, matches: (count) => !count.online },
    ],
  },
  {
    name: "verified",
    title: "Vouched for",
    values: [
      { words: "Verified", changed: { verified: true }, matches: (count) => count.verified },
      { words: "Not verified", changed: { verified: false }, matches: (count) => !count.verified },
    ],
  },
  {
    name: "auth",
    title: "Credential",
    values: (["none", "api-key", "bearer", "oauth", "unknown"] as const).map((auth) => ({
      words: authWords[auth],
      changed: { auth },
      matches: (count) => count.auth === auth,
    })),
  },
  {
    name: "era",
    title: "Protocol",
    values: (["modern", "legacy", "unknown"] as const).map((era) => ({
      words: eraWords[era],
      changed: { era },
      matches: (count) => count.era === era,
    })),
  },
];

/** Of every kind together: what a catalog has. */
export function allOf(counts: readonly FacetCount[]): CountsOutput {
  const sum = (kinds: readonly FacetCount[]) => kinds.reduce((total, { relays }) => total + relays, 0);
  return { relays: sum(counts), online: sum(counts.filter(({ online }) => online)) };
}

export function facets(
  query: DirectoryQuery,
  { counts, tags }: { readonly counts: readonly FacetCount[]; readonly tags: readonly TagCount[] },
): Markup {
  const chosen = chosenOf(query);
  const counted = query.q === "" && query.tag === "";
  return html`<details class="narrow">
<summary>Narrow${chosen === 0 ? "" : ` (${chosen})`}</summary>
<nav class="facets" aria-label="Narrow">
${groups.map((group) => groupOf(group, { query, counts: counted ? counts : null }))}
${tags.length === 0 ? "" : html`<section><h2>Tags</h2><ul class="tags">${tags.map((tag) => tagLink(tag, query))}</ul></section>`}
${chosen === 0 ? "" : html`<p><a href="${directoryPath({ ...NOTHING, q: query.q })}">Clear all</a></p>`}
</nav>
</details>`;
}

const NOTHING: DirectoryQuery = { q: "", tag: "", online: null, verified: null, auth: null, era: null };

function chosenOf({ q: _, ...narrowing }: DirectoryQuery): number {
  return Object.values(narrowing).filter((value) => value !== null && value !== "").length;
}

function groupOf(
  { name, title, values }: Group,
  { query, counts }: { readonly query: DirectoryQuery; readonly counts: readonly FacetCount[] | null },
): Markup {
  // What the other groups leave: this one's own choice does not count against its other values.
  const others = groups.filter((group) => group.name !== name);
  const left = counts?.filter((count) =>
    others.every((group) => query[group.name] === null || chosenValue(group, query)?.matches(count) === true),
  );
  return html`<section><h2>${title}</h2><ul>${values.map((value) => {
    const current = chosenValue({ name, title, values }, query) === value;
    const relays = left?.filter(value.matches).reduce((sum, count) => sum + count.relays, 0);
    // A value that nothing has is not worth a line, unless it is chosen.
    if (relays === 0 && !current) return "";
    const href = directoryPath({ ...query, ...(current ? { [name]: null } : value.changed) });
    return html`<li><a href="${href}"${current ? raw(' aria-current="true"') : ""}>${value.words}</a>${relays === undefined ? "" : html`<span class="count">${amount(relays)}</span>`}</li>`;
  })}</ul></section>`;
}

function chosenValue({ name, values }: Group, query: DirectoryQuery): Value | undefined {
  return query[name] === null ? undefined : values.find(({ changed }) => changed[name] === query[name]);
}

function tagLink({ tag, relays }: TagCount, query: DirectoryQuery): Markup {
  const current = query.tag.toLowerCase() === tag;
  return html`<li><a class="tag" href="${directoryPath({ ...query, tag: current ? "" : tag })}"${current ? raw(' aria-current="true"') : ""} title="${level(tag, 200)}">${said(tag, 24)}</a><span class="count">${amount(relays)}</span></li>`;
}
