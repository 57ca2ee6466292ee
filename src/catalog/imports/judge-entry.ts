/** An entry of a registry and a Server Card as what an import counts and takes. Pure, but for the list of suffixes that is loaded. */
import { type ImportSkip, learnedFrom, type RegistryEntry, type ServerCard } from "../../spec/index.ts";
import type { ImportEntry } from "../../store/index.ts";
import { placeOf } from "../watch/place-of.ts";
import { judgeRemotes } from "./judge-remotes.ts";
import type { Whereabouts } from "./judge-url.ts";

/** Active and latest, or nothing (discovery.md "The official registry"). */
export async function judgeRegistryEntry(
  { server, standing, learnedFrom: hearsay }: RegistryEntry,
  whereabouts: Whereabouts,
): Promise<ImportEntry> {
  const { name, version } = server;
  const identity = { key: `${name}@${version}`, name, version };
  const { status, isLatest } = standing;
  if (status !== null && status !== "active") {
    // Of several versions, an old one that was withdrawn says nothing of the newest.
    const withdrawn = isLatest === false ? {} : ({ withdrawn: true } as const);
    return { ...identity, urls: [], skip: "not-active", ...withdrawn };
  }
  if (hearsay !== null) return { ...identity, urls: [], skip: "learned" };
  if (isLatest === false) return { ...identity, urls: [], skip: "not-latest" };
  return { ...identity, ...(await placed(judgeRemotes(server.remotes, whereabouts))) };
}

/** `key`: by which the catalog's entry is counted. */
export async function judgeCard(
  card: ServerCard,
  { key, ...whereabouts }: Whereabouts & { readonly key: string },
): Promise<ImportEntry> {
  if (learnedFrom(card._meta) !== null) return skipped(key, "learned", card.name);
  const judged = await placed(judgeRemotes(card.remotes, whereabouts));
  return { key, name: card.name, version: card.version, ...judged };
}

export function skipped(key: string, skip: ImportSkip, name: string | null = null): ImportEntry {
  return { key, name, version: null, urls: [], skip };
}

export async function placed(
  judged: ReturnType<typeof judgeRemotes>,
): Promise<Pick<ImportEntry, "urls" | "skip">> {
  if (judged.skip !== null) return { urls: [], skip: judged.skip };
  const urls = await Promise.all(
    judged.urls.map(async ({ url, endpoint }) => ({
      url,
      endpoint,
      domain: (await placeOf(endpoint)).domain,
    })),
  );
  return { urls, skip: null };
}
