/** Terms by number. A term keeps its number for good, so the ones used most are remembered. */
import type { Database } from "./database.ts";
import { MAX_TERMS_REMEMBERED } from "./limits.ts";

export interface TermIds {
  find(text: string): number | undefined;
  /** Of terms that were committed. */
  remember(terms: Iterable<readonly [text: string, id: number]>): void;
  /** When the file became another one. */
  forget(): void;
}

export function createTermIds(database: Database): TermIds {
  const remembered = new Map<string, number>();

  function keep(text: string, id: number): void {
    if (remembered.size >= MAX_TERMS_REMEMBERED) remembered.clear();
    remembered.set(text, id);
  }

  return {
    find(text) {
      const known = remembered.get(text);
      if (known !== undefined) return known;
      const row = database.get<{ id: number }>("select id from search_term where text = ?", text);
      if (row !== undefined) keep(text, row.id);
      return row?.id;
    },
    remember(terms) {
      for (const [text, id] of terms) keep(text, id);
    },
    forget: () => remembered.clear(),
  };
}
