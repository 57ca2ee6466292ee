/** Terms by number. A term keeps its number for good, so the ones used most are remembered. */
import type { Database } from "./database.ts";
import { MAX_TERMS_REMEMBERED } from "./limits.ts";

export interface TermIds {
  find(text: string): number | undefined;
  /** In a transaction: numbers the term when it is new. */
  make(text: string): number;
  /** After a transaction that failed: its numbers were never given. */
  forget(): void;
}

export function createTermIds(database: Database): TermIds {
  const remembered = new Map<string, number>();

  function find(text: string): number | undefined {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const row = database.get<{ id: number }>("select id from search_term where text = ?", text);
    return row === undefined ? undefined : remember(text, row.id);
  }

  function remember(text: string, id: number): number {
    if (remembered.size >= MAX_TERMS_REMEMBERED) remembered.clear();
    remembered.set(text, id);
    return id;
  }

  return {
    find,
    make(text) {
      const known = find(text);
      if (known !== undefined) return known;
      const row = database.get<{ id: number }>(
        "insert into search_term (text) values (?) returning id",
        text,
      );
      return remember(text, row?.id ?? 0);
    },
    forget: () => remembered.clear(),
  };
}
