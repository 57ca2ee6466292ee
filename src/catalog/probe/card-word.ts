/**
 * What a Server Card says of its relay, as a descriptor would say it: so a record has one form, whoever vouched for it. Pure. The card
 * is a stranger's, and was read leniently: what is not of its type is left out, nothing is refused.
 */
import type { Descriptor, ServerCard } from "../../spec/index.ts";
import { MAX_CARD_TEXT_CHARS } from "../limits.ts";
import type { CardWord } from "./finding.ts";

/** `url`: the endpoint as it is asked, which the card names in this or another spelling. */
export function cardWord(
  { card, answeredBy }: { readonly card: ServerCard; readonly answeredBy: string },
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
    },
  };
  return { descriptor, source: answeredBy };
}

function member<K extends string>(key: K, value: unknown): { readonly [key in K]?: string } {
  if (typeof value !== "string" || value === "") return {};
  return { [key]: value.slice(0, MAX_CARD_TEXT_CHARS) } as { readonly [key in K]?: string };
}
