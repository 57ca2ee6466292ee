/**
 * From any URL of a relay to findings: what the origin says of itself, and what its endpoints answer (wire.md "The probe").
 * It needs no store, so that `openmcp probe` uses it as it is; what a finding does to a record is merge-finding's work.
 */
import type { DescriptorLook } from "../../discovery/index.ts";
import { canonicalEndpoint, OpenMcpError } from "../../spec/index.ts";
import { parseGivenUrl } from "../given-url.ts";
import { MAX_FOLLOWED, SITE_SEARCH_MS } from "../limits.ts";
import { called } from "./called.ts";
import { givenEndpoint, onAnsweringOrigin, siteEndpoints } from "./candidates.ts";
import type { Finding, Probe, ProbeDeps } from "./finding.ts";
import { createInspector, type Inspector } from "./inspector.ts";
import { inspectListed, type ListedServers } from "./listed-servers.ts";
import { nearestToOnline, noUseAskingOn } from "./verdicts.ts";

/**
 * Looks. Never rejects for what a relay does; that is the verdict. A given endpoint is looked at whatever its origin says.
 * @throws OpenMcpError `invalid-input` when `given` is no URL, `aborted` when the signal fires.
 */
export async function probeUrl(given: string, deps: ProbeDeps): Promise<Probe> {
  const parsed = parseGivenUrl(given);
  if (!parsed.ok)
    throw new OpenMcpError("invalid-input", `"url": ${parsed.problem}`, { data: { field: "url" } });
  const { url } = parsed;
  const inspector = createInspector(deps);
  const endpoint = givenEndpoint(url);
  const [reading] = await Promise.all([
    inspector.read(url),
    endpoint === null ? null : inspector.inspect(endpoint),
  ]);

  const named = reading.found.outcome === "served" ? await inspector.inspect(reading.found.endpoint) : null;
  const asked = endpoint === null ? null : await inspectGiven(endpoint, { reading, inspector, named });
  // A descriptor, and an endpoint that answers, is all that was asked for; else there may be catalogs and cards.
  const enough = named !== null || (asked !== null && mayBeListed(asked)) || nobodyThere(reading, asked);
  const { findings: listed, more } = enough
    ? NONE_LISTED
    : await inspectListed(url, { inspector, isEndpoint: asked?.verdict.state === "auth-required" });
  const best = listed.find(mayBeListed) ?? null;
  const site =
    named === null && asked === null && best === null
      ? await searchSite(url, { reading, inspector, now: deps.now })
      : null;

  // A given endpoint that answers is what was meant; else the origin's word counts before a URL that somebody typed.
  const first = asked?.verdict.state === "online" ? asked : (named ?? best ?? asked ?? site);
  if (first === null) throw new OpenMcpError("internal", "a probe looked at nothing");
  const target = await whereItLeads(first, inspector);
  const meant = identified(target ?? first, listed);
  // Of a site, and not of a mere endpoint: what it calls its relay stands beside its descriptor.
  const told = endpoint === null && meant.verifiedBy === "openmcp" && meant.identifier === undefined;
  const finding = told ? called(meant, await inspector.identifier(url, meant.endpoint)) : meant;
  return {
    url,
    finding,
    others: beside(finding, [named, asked, first, ...listed]),
    more,
    steps: inspector.steps,
  };
}

const NONE_LISTED: ListedServers = { findings: [], more: 0 };

/** With what its publisher's catalog calls it, where that was read after it was looked at. */
function identified(finding: Finding, listed: readonly Finding[]): Finding {
  const same = listed.find(({ endpoint }) => endpoint === finding.endpoint);
  return called(finding, finding.identifier ?? same?.identifier);
}

/** The other findings, one of each endpoint: the one that says most, as a card may vouch for an endpoint that was asked before. */
function beside(finding: Finding, findings: readonly (Finding | null)[]): readonly Finding[] {
  const others = new Map<string, Finding>();
  for (const other of findings) {
    if (other === null || other === finding || other.endpoint === finding.endpoint) continue;
    const known = others.get(other.endpoint);
    if (known === undefined || (known.verifiedBy === null && other.verifiedBy !== null)) {
      others.set(other.endpoint, other);
    }
  }
  return [...others.values()];
}

/** OpenMCP 0.1 "The probe": at least one of the two questions was answered yes. */
function mayBeListed({ verifiedBy, verdict }: Finding): boolean {
  return verifiedBy !== null || verdict.state === "online";
}

/** A host that could not be asked for its descriptor, and whose endpoint gave no answer either, has no files to read. */
function nobodyThere({ found, answeredBy }: DescriptorLook, asked: Finding | null): boolean {
  if (found.outcome === "blocked") return true;
  return answeredBy === null && (asked === null || noUseAskingOn(asked.verdict));
}

/**
 * Where an endpoint that answers nothing but a redirect sends whoever asks: looked at as an endpoint of its own, with its own
 * origin's word, as if its URL had been given. Null when nothing that may be listed is there.
 */
async function whereItLeads(from: Finding, inspector: Inspector): Promise<Finding | null> {
  let at = from;
  for (let hops = 0; hops < MAX_FOLLOWED && at.verdict.redirectsTo !== undefined; hops += 1) {
    const target = parseGivenUrl(at.verdict.redirectsTo);
    if (!target.ok) return null;
    at = await inspector.inspect(target.url);
  }
  if (at === from) return null;
  if (at.verdict.state === "blocked") return blockedBeyond(from, at);
  return at.verdict.state === "online" || at.verifiedBy !== null ? at : null;
}

function blockedBeyond(from: Finding, refused: Finding): Finding {
  const error = `${from.verdict.error ?? "It redirects elsewhere."} There: ${refused.verdict.error ?? "refused."}`;
  return { ...from, verdict: { ...from.verdict, state: "blocked", error } };
}

/** The given endpoint's own finding; null when it is the one the descriptor names. */
async function inspectGiven(
  endpoint: string,
  known: { readonly reading: DescriptorLook; readonly inspector: Inspector; readonly named: Finding | null },
): Promise<Finding | null> {
  const { reading, inspector, named } = known;
  if (named?.endpoint === canonicalEndpoint(endpoint)) return null;
  const elsewhere = onAnsweringOrigin(endpoint, reading);
  if (elsewhere === null) return inspector.inspect(endpoint);
  const isNamed = named?.endpoint === canonicalEndpoint(elsewhere.url);
  if (isNamed && elsewhere.sameHost) return null;
  // http that leads to https, and www that leads to the bare name, are no second relay.
  const [first, second] = elsewhere.sameHost ? [elsewhere.url, endpoint] : [endpoint, elsewhere.url];
  const finding = await inspector.inspect(first);
  if (finding.verdict.state === "online" || isNamed) return finding;
  const other = await inspector.inspect(second);
  return other.verdict.state === "online" ? other : finding;
}

/** Tries where relays usually are; stops at the first that answers, at a host that does not, and when time is up. */
async function searchSite(
  url: string,
  known: { readonly reading: DescriptorLook; readonly inspector: Inspector; readonly now: () => number },
): Promise<Finding | null> {
  const { reading, inspector, now } = known;
  const end = now() + SITE_SEARCH_MS;
  let best: Finding | null = null;
  for (const candidate of siteEndpoints(onAnsweringOrigin(url, reading)?.url ?? url)) {
    const finding = await inspector.inspect(candidate);
    best = best === null ? finding : nearestToOnline(best, finding);
    if (noUseAskingOn(finding.verdict) || now() > end) break;
  }
  return best;
}
