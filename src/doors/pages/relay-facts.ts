/** What is known of a relay and who says so. What nobody states is said to be unstated: it is never guessed, and never left out. */
import { html } from "hono/html";
import {
  type DescriptorFacts,
  describe,
  eraOf,
  type RelayClaim,
  type RelayRecord,
} from "../../spec/index.ts";
import { MAX_CLAIMS } from "./limits.ts";
import { ago, apiPath, code, type Markup, outward, said } from "./markup.ts";
import { authWords, eraWords } from "./words.ts";

export function relayFacts(
  relay: RelayRecord,
  { claims, now }: { readonly claims: readonly RelayClaim[]; readonly now: number },
): Markup {
  const facts = describe(relay.descriptor, relay.source);
  const rows: readonly (readonly [string, Markup])[] = [
    ["Who says so", sourceOf(relay)],
    ["Credential", credential(facts)],
    ["Operator", facts.operator === null ? unstated() : outward(facts.operator)],
    ["Site", facts.url === null ? unstated() : outward(facts.url)],
    ["Server", serverOf(relay)],
    ["Protocol", protocolOf(relay)],
    ["Looked at", lookOf(relay, now)],
    [
      "Listed",
      html`${ago(relay.firstSeenAt, now)}${relay.via === null ? "" : html`, learned from ${outward(relay.via)}`}`,
    ],
    ...(relay.aliases === undefined || relay.aliases.length === 0
      ? []
      : [["Was at", html`${relay.aliases.slice(0, 5).map((alias) => html`${code(alias, 200)} `)}`] as const]),
  ];
  return html`<dl class="facts-list">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${claimed(claims, now)}
<p class="links"><a href="${apiPath(relay.id)}">Record</a> <a href="${apiPath(relay.id)}/openapi.json">OpenAPI</a> <a href="${apiPath(relay.id)}/server-card">Server Card</a> <a href="${apiPath(relay.id)}/history">History</a></p>`;
}

function unstated(): Markup {
  return html`<span class="soft">Not stated</span>`;
}

function sourceOf({ probe, source, verified }: RelayRecord): Markup {
  const where = outward(source);
  if (probe.verifiedBy === "openmcp") return html`Itself, in the descriptor of its own site: ${where}`;
  if (probe.verifiedBy === "server-card") return html`Itself, in a Server Card on its own site: ${where}`;
  return verified
    ? html`Its own site: ${where}`
    : html`Only the endpoint: its site vouches for nothing. <a href="/docs/register.html">How a relay becomes verified</a>`;
}

function credential({ auth, authUrl, openTools }: DescriptorFacts): Markup {
  return html`${auth === "unknown" ? unstated() : authWords[auth]}${authUrl === null ? "" : html`; get one at ${outward(authUrl)}`}${openTools.length === 0 ? "" : html`; without one: ${openTools.slice(0, 12).map((name, at) => html`${at === 0 ? "" : ", "}${code(name, 80)}`)}${openTools.length > 12 ? ` and ${openTools.length - 12} more` : ""}`}`;
}

function serverOf({ server }: RelayRecord): Markup {
  if (server === null || server.name === null) return unstated();
  return html`${said(server.name, 120)}${server.version === null ? "" : html` ${said(server.version, 60)}`}`;
}

function protocolOf({ probe }: RelayRecord): Markup {
  if (probe.era === null) return html`<span class="soft">Not known: nothing answered at the last look</span>`;
  const transport = probe.transport === "http+sse" ? "HTTP with SSE" : "Streamable HTTP";
  return html`${said(probe.era, 40)}${probe.transport === null ? "" : ` over ${transport}`}${eraOf(probe.era) === "legacy" ? html` <span class="soft">(${eraWords.legacy.toLowerCase()})</span>` : ""}`;
}

function lookOf({ probe, seenAt }: RelayRecord, now: number): Markup {
  const next = probe.nextAt === null ? "" : html`; next ${until(probe.nextAt, now)}`;
  return html`${ago(probe.at, now)}${next}${seenAt === null ? "; it never answered" : seenAt === probe.at ? "" : html`; last answered ${ago(seenAt, now)}`}`;
}

function until(iso: string, now: number): Markup {
  const minutes = Math.round((Date.parse(iso) - now) / 60_000);
  return html`<time datetime="${iso}">${minutes <= 0 ? "now" : minutes < 90 ? `in ${minutes} min` : `in ${Math.round(minutes / 60)} h`}</time>`;
}

function claimed(claims: readonly RelayClaim[], now: number): Markup {
  if (claims.length === 0) return "";
  return html`<h3>Also listed elsewhere</h3>
<p class="soft">Names that other lists give its URL. They are hearsay: whoever lists a URL need not own it.</p>
<ul class="claims-list">${claims
    .slice(0, MAX_CLAIMS)
    .map(
      ({ name, version, source, at }) =>
        html`<li>${code(name, 200)}${version === null ? "" : html` ${said(version, 40)}`} <span class="soft">in ${outward(source)}, read ${ago(at, now)}</span></li>`,
    )}${claims.length > MAX_CLAIMS ? html`<li class="soft">and ${claims.length - MAX_CLAIMS} more</li>` : ""}</ul>`;
}
