/**
 * One probe's eyes: looks at endpoints and reads descriptors, each at most once, and keeps the steps.
 * It finds out; which endpoints to look at, and what a finding does to a record, is decided elsewhere.
 */
import {
  type CardLook,
  type DescriptorLook,
  type Discovery,
  readCard,
  readDescriptor,
  readIdentifier,
  readOrigin,
} from "../../discovery/index.ts";
import { look } from "../../relay/index.ts";
import {
  canonicalEndpoint,
  DESCRIPTOR_PATH,
  describe,
  type EndpointVerdict,
  type ProbeStep,
} from "../../spec/index.ts";
import { DESCRIPTOR_HEAD_START_MS } from "../limits.ts";
import { cardWord } from "./card-word.ts";
import type { CardWord, Evidence, Finding, KnownEndpoint, Lead, ProbeDeps, Vouching } from "./finding.ts";

export interface Inspector {
  /** The descriptor on the origin of `url`. */
  read(url: string): Promise<DescriptorLook>;
  /** The look at an endpoint and its origin's word on it, together. `lead`: what led there. */
  inspect(url: string, lead?: Lead): Promise<Finding>;
  /** What the origin of `url`, or `url` itself unless it is an endpoint, publishes besides a descriptor; no endpoint is looked at. */
  published(url: string, isEndpoint: boolean): Promise<Discovery>;
  /** What the AI Catalog of the site of `url` calls an endpoint; null when it says nothing, or nothing that is to be believed. */
  identifier(url: string, endpoint: string): Promise<string | null>;
  /** Adds a step that is no request. */
  note(step: ProbeStep): void;
  readonly steps: readonly ProbeStep[];
}

export function createInspector(deps: ProbeDeps): Inspector {
  const { exchange, signal, now } = deps;
  const steps: ProbeStep[] = [];
  const readings = new Map<string, Promise<DescriptorLook>>();
  const cards = new Map<string, Promise<CardLook>>();
  const looks = new Map<string, Promise<EndpointVerdict>>();
  const memories = new Map<string, Promise<KnownEndpoint | null>>();

  function done(step: ProbeStep): void {
    steps.push(step);
    deps.onStep?.(step);
  }

  function read(url: string): Promise<DescriptorLook> {
    return once(readings, originOf(url), async (origin) => {
      const reading = await (deps.readDescriptor ?? readDescriptor)(origin, {
        exchange,
        signal,
        now,
        known: deps.knownDescriptor ?? null,
      });
      done(reading.step);
      return reading;
    });
  }

  function remembered(endpoint: string): Promise<KnownEndpoint | null> {
    return once(memories, endpoint, async () => (await deps.known?.(endpoint)) ?? null);
  }

  function lookAt(url: string): Promise<EndpointVerdict> {
    return once(looks, url, async () => {
      const hints = (await remembered(canonicalEndpoint(url)))?.hints ?? null;
      const verdict = await (deps.look ?? look)(url, { exchange, signal, now, hints });
      for (const step of verdict.steps) done(step);
      return verdict;
    });
  }

  async function inspect(url: string, lead?: Lead): Promise<Finding> {
    const endpoint = canonicalEndpoint(url);
    const vouching = vouch(url, lead);
    // In order, and over one connection, as long as the origin answers; one that hangs is not waited for twice.
    await patience(wordOf(url), DESCRIPTOR_HEAD_START_MS);
    const [spelled, word] = await Promise.all([lookAtSpellings(url), vouching]);
    // The origin's own word on the spelling counts before what was remembered.
    const named = word.verifiedBy === "openmcp" && spelled.url !== url;
    if (word.verifiedBy === "server-card" && word.descriptor !== null) {
      return { endpoint, ...word, descriptor: { ...word.descriptor, mcp: spelled.url }, ...spelled };
    }
    return { endpoint, ...word, ...(named ? { url, verdict: await lookAt(url) } : spelled) };
  }

  /**
   * A listed relay is asked by the spelling that its record has. Another one may be no URL of it for a server that is
   * strict about slashes or escapes: its failure says nothing, and nobody takes a relay offline by an odd spelling.
   */
  async function lookAtSpellings(url: string): Promise<Pick<Finding, "url" | "verdict">> {
    const known = (await remembered(canonicalEndpoint(url)))?.url ?? url;
    const verdict = await lookAt(known);
    if (known === url || verdict.state === "online") return { url: known, verdict };
    const other = await lookAt(url);
    return other.state === "online" ? { url, verdict: other } : { url: known, verdict };
  }

  /** The descriptor of the endpoint's origin. */
  async function wordOf(url: string): Promise<DescriptorLook> {
    return readingThatAnswered(await allSettled(readings), originOf(url)) ?? (await read(url));
  }

  /** The descriptor's word, and where it does not vouch, a card's. */
  async function vouch(url: string, lead: Lead | undefined): Promise<Vouching> {
    const reading = await wordOf(url);
    const word = judgeVouching(url, reading);
    // A host that gave no answer for one document is not asked for another.
    if (word.verifiedBy !== null || reading.answeredBy === null) return word;
    // No evidence against what was known: then a card is not asked to speak in its place.
    if (word.descriptorEvidence === "unknown" && deps.knownDescriptor != null) return word;
    if (lead?.card != null) {
      return byCard(word, { word: cardWord(lead.card, url), document: lead.card.memory });
    }
    const known = deps.knownCard ?? null;
    if (known === null && deps.searchCard === false) return word;
    const { found, document } = await card(url);
    if (found.outcome === "unchanged" && known !== null) return byCard(word, { word: known.word, document });
    if (found.outcome === "served") {
      return byCard(word, { word: cardWord({ card: found.card, answeredBy: found.source }, url), document });
    }
    const cardEvidence: Evidence = found.outcome === "absent" ? "absent" : "unknown";
    return { ...word, cardEvidence };
  }

  function card(url: string): Promise<CardLook> {
    return once(cards, canonicalEndpoint(url), async (endpoint) => {
      const known = deps.knownCard ?? null;
      const spelled = (await remembered(endpoint))?.url ?? url;
      const found = await (deps.readCard ?? readCard)(spelled, { exchange, signal, now, known });
      for (const step of found.steps) done(step);
      return found;
    });
  }

  async function published(url: string, isEndpoint: boolean): Promise<Discovery> {
    const options = { exchange, now, given: !isEndpoint, ...(signal === undefined ? {} : { signal }) };
    const found = await (
      deps.readOrigin ?? ((at, more) => readOrigin(at, { ...more, descriptor: false, reserved: false }))
    )(url, options);
    for (const step of found.requests) done(step);
    return found;
  }

  async function identifier(url: string, endpoint: string): Promise<string | null> {
    const options = { exchange, now, endpoint, ...(signal === undefined ? {} : { signal }) };
    const found = await (deps.readIdentifier ?? readIdentifier)(url, options);
    for (const step of found.requests) done(step);
    return found.identifier;
  }

  return { read, inspect, published, identifier, note: done, steps };
}

function byCard(
  word: Vouching,
  { word: said, document }: { readonly word: CardWord; readonly document: Vouching["document"] },
): Vouching {
  return { ...word, ...said, verifiedBy: "server-card", cardEvidence: "served", document };
}

/**
 * What a reading of the endpoint's own origin says of the endpoint. Pure. A descriptor that names another endpoint is a
 * definite no: one origin's descriptor speaks for one relay (wire.md "The descriptor").
 */
export function judgeVouching(url: string, reading: DescriptorLook): Vouching {
  const { found } = reading;
  const mayBeListed = found.outcome !== "served" || describe(found.descriptor, found.source).mayBeListed;
  if (found.outcome === "served" && canonicalEndpoint(found.endpoint) === canonicalEndpoint(url)) {
    return {
      descriptor: found.descriptor,
      source: found.source,
      verifiedBy: "openmcp",
      descriptorEvidence: "served",
      cardEvidence: "unknown",
      document: reading.document,
      mayBeListed,
    };
  }
  const definite = found.outcome === "served" || found.outcome === "absent";
  return {
    descriptor: null,
    source: url,
    verifiedBy: null,
    descriptorEvidence: definite ? "absent" : "unknown",
    cardEvidence: "unknown",
    document: null,
    mayBeListed,
  };
}

/** A reading that was redirected to `origin`'s own descriptor is a reading of that origin too: no need to ask again. */
function readingThatAnswered(done: readonly DescriptorLook[], origin: string): DescriptorLook | null {
  const own = new URL(DESCRIPTOR_PATH, origin).href;
  return done.find((reading) => reading.answeredBy === own) ?? null;
}

function originOf(url: string): string {
  return new URL(canonicalEndpoint(url)).origin;
}

async function allSettled<T>(promises: ReadonlyMap<string, Promise<T>>): Promise<T[]> {
  const settled = await Promise.allSettled(promises.values());
  return settled.filter((one) => one.status === "fulfilled").map((one) => one.value);
}

/** Resolves when `promise` is settled, at the latest after `ms`. */
function patience(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(done, done);
  });
}

function once<T>(
  memory: Map<string, Promise<T>>,
  key: string,
  work: (key: string) => Promise<T>,
): Promise<T> {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const started = work(key);
  memory.set(key, started);
  return started;
}
