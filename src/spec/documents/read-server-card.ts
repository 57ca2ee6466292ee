/** Reads a Server Card, strictly and then leniently: two verdicts, the older shapes brought into the one of today. */
import type { JsonValue } from "../json.ts";
import type { Reading } from "./diagnostic.ts";
import type { ServerCard, ServerCardShape } from "./server-card.ts";

export interface ReadCardContext {
  /** The URL that answered: what is relative resolves on it. */
  readonly url?: string;
}

export interface ServerCardReading extends Reading<ServerCard> {
  /** Null when it is none of them. */
  readonly shape: ServerCardShape | null;
}

/** `document` is the text as it was received, or what was parsed from it; only text tells of duplicate keys and a byte order mark. */
export function readServerCard(
  document: string | JsonValue,
  context: ReadCardContext = {},
): ServerCardReading {
  throw new Error(`not yet: ${typeof document} ${context.url}`);
}
