import fc from "fast-check";
import { expect, it } from "vitest";
import { distance } from "../../src/search/index.ts";

/** Optimal string alignment, every cell of it. */
function whole(a: string, b: string): number {
  const cells = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number): number => cells[row]?.[column] as number;
  for (let row = 1; row <= a.length; row += 1) {
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let edits = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        edits = Math.min(edits, at(row - 2, column - 2) + 1);
      }
      (cells[row] as number[])[column] = edits;
    }
  }
  return at(a.length, b.length);
}

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 9 });

it("is the whole table's answer up to the bound, and one more beyond it", () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 5 }), (a, b, max) => {
      expect(distance(a, b, max)).toBe(Math.min(whole(a, b), max + 1));
    }),
  );
});
