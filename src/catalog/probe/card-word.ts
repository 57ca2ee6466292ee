/**
 * What a Server Card says of its relay, as a descriptor would say it: so a record has one form, whoever vouched for it. Pure. The card
 * is a stranger's, and was read leniently: what is not of its type is left out, nothing is refused.
 */
import { type Descriptor, isJsonObject, type ServerCard } from "../../spec/index.ts";
import { MAX_CARD_TEXT_CHARS } from "../limits.ts";
import type { CardWord } from "./finding.ts";

/** `url`: the endpoint as it is asked, which the card names in this or another spelling. `identifier`: its publisher's. */
export function cardWord(
  {
    card,
    answeredBy,
    identifier = null,
  }: { readonly card: ServerCard; readonly answeredBy: string; readonly identifier?: string | null },
  url: string,
): CardWord {
  const descriptor: Descriptor = {
    mcp: url,
    ...member("name", card.title ?? card.name),
    ...member("description", card.description),
    ...member("url", card.websiteUrl),
    serverCard: {
      ...member("name", card.name),
      ...member("version", card.version),
      ...member("identifier", identifier),
    },
  };
  return { descriptor, source: answeredBy };
}

function member<K extends string>(key: K, value: unknown): { readonly [key in K]?: string } {
  if (typeof value !== "string" || value === "") return {};
  return { [key]: value.slice(0, MAX_CARD_TEXT_CHARS) } as { readonly [key in K]?: string };
}

/**
 * A card's word beside the one before it. The identifier is told by a catalog, which not every look reads: it stays as long as the card
 * is of the same server (discovery.md: "An identifier once published is kept").
 */
export function withIdentifier(now: Descriptor, before: Descriptor | undefined): Descriptor {
  const [card, was] = [now.serverCard, before?.serverCard];
  if (!isJsonObject(card) || !isJsonObject(was) || card.name !== was.name) return now;
  if (card.identifier !== undefined || typeof was.identifier !== "string") return now;
  return { ...now, serverCard: { ...card, identifier: was.identifier } };
}
