/** A page of a registry's list: its entries judged, and the cursor to the next one. Null when it is none. */
import {
  contentHash,
  isJsonObject,
  type JsonValue,
  MAX_JSON_DEPTH,
  nestsDeeper,
  readRegistryPage,
  readRegistryServer,
} from "../../spec/index.ts";
import type { ImportEntry } from "../../store/index.ts";
import { judgeRegistryEntry, skipped } from "./judge-entry.ts";

export interface JudgedPage {
  readonly entries: readonly ImportEntry[];
  readonly nextCursor: string | null;
}

/** `own`: this catalog's own endpoint, canonical. */
export async function judgePage(text: string, own: string): Promise<JudgedPage | null> {
  const json = parsed(text);
  if (json === undefined) return null;
  const { value: page } = readRegistryPage(json);
  if (page === null) return null;
  const entries = await Promise.all(page.entries.map((entry) => judgeRegistryEntry(entry, { own })));
  if (page.total > page.entries.length) entries.push(...(await unreadable(json)));
  return { entries, nextCursor: page.nextCursor === "" ? null : page.nextCursor };
}

/** What is no entry has no name: it is counted once by what it holds. */
async function unreadable(json: JsonValue): Promise<readonly ImportEntry[]> {
  const list = Array.isArray(json) ? json : isJsonObject(json) ? json.servers : [];
  const bad = (Array.isArray(list) ? list : []).filter((entry) => readRegistryServer(entry).value === null);
  return Promise.all(bad.map(async (entry) => skipped(await contentHash(entry as JsonValue), "unreadable")));
}

function parsed(text: string): JsonValue | undefined {
  const plain = text.replace(/^\ufeff/, "");
  if (nestsDeeper(plain, MAX_JSON_DEPTH)) return undefined;
  try {
    return JSON.parse(plain) as JsonValue;
  } catch {
    return undefined;
  }
}
