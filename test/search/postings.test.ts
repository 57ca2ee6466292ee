/** Packed postings and the ranking over them, held against the plainest way to do the same. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  blockOf,
  changePostings,
  countOf,
  matchedWords,
  placeOf,
  rankTools,
  type TermPostings,
} from "../../src/search/index.ts";
import { BLOCK_SIZE } from "../../src/search/postings.ts";

const place = fc.integer({ min: 0, max: BLOCK_SIZE - 1 });
const changes = fc.array(fc.tuple(place, fc.integer({ min: 0, max: 255 })), { maxLength: 60 });

function unpack(postings: Uint8Array): Map<number, number> {
  const found = new Map<number, number>();
  for (let at = 0; at < postings.length; at += 3) {
    found.set((postings[at] ?? 0) + (postings[at + 1] ?? 0) * 256, postings[at + 2] ?? 0);
  }
  return found;
}

/** One term's postings from tool ids and impacts. */
function blocksOf(impacts: ReadonlyMap<number, number>): Map<number, Uint8Array> {
  const blocks = new Map<number, Uint8Array>();
  for (const [tool, impact] of impacts) {
    const block = blockOf(tool);
    const before = blocks.get(block) ?? new Uint8Array(0);
    blocks.set(block, changePostings(before, new Map([[placeOf(tool), impact]])));
  }
  return blocks;
}

describe("postings", () => {
  it("hold what was last said of each place, in order", () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 8 }), (rounds) => {
        const model = new Map<number, number>();
        let postings: Uint8Array = new Uint8Array(0);
        for (const round of rounds) {
          postings = changePostings(postings, new Map(round));
          for (const [at, impact] of new Map(round)) {
            if (impact === 0) model.delete(at);
            else model.set(at, impact);
          }
        }
        expect([...unpack(postings)]).toEqual([...model].sort((a, b) => a[0] - b[0]));
        expect(countOf(postings)).toBe(model.size);
      }),
    );
  });
});

describe("a ranking", () => {
  const tool = fc.integer({ min: 0, max: 3 * BLOCK_SIZE });
  const term = fc.record({
    weight: fc.integer({ min: 1, max: 100 }),
    soft: fc.boolean(),
    impacts: fc.array(fc.tuple(tool, fc.integer({ min: 1, max: 255 })), { maxLength: 40 }),
  });

  it("is what adding everything up and sorting gives", () => {
    fc.assert(
      fc.property(
        fc.array(term, { maxLength: 6 }),
        fc.integer({ min: 1, max: 30 }),
        fc.option(fc.uniqueArray(tool, { maxLength: 60 })),
        (terms, limit, allowed) => {
          const scores = new Map<number, number>();
          const planned = terms.map(({ weight, soft, impacts }, index): TermPostings => {
            const byTool = new Map(impacts);
            return { term: `t${index}`, weight, soft, word: null, blocks: blocksOf(byTool) };
          });
          for (const soft of [false, true]) {
            for (const [index, { weight, soft: isSoft, impacts }] of terms.entries()) {
              if (isSoft !== soft || planned[index] === undefined) continue;
              for (const [id, impact] of new Map(impacts)) {
                if (soft && !scores.has(id)) continue;
                scores.set(id, (scores.get(id) ?? 0) + (weight * impact) / 255);
              }
            }
          }
          const options = allowed === null ? { limit } : { limit, allowed: new Set(allowed) };
          const ranked = rankTools(planned, options);
          const wanted = [...scores]
            .filter(([id]) => allowed?.includes(id) ?? true)
            .sort((a, b) => b[1] - a[1] || a[0] - b[0])
            .slice(0, limit);
          expect(ranked).toHaveLength(wanted.length);
          for (const [index, { tool: id, score }] of ranked.entries()) {
            expect(score).toBeCloseTo(wanted[index]?.[1] ?? -1, 2);
            expect(score).toBeCloseTo(scores.get(id) ?? -1, 2);
          }
          expect(new Set(ranked.map((entry) => entry.tool)).size).toBe(ranked.length);
        },
      ),
    );
  });

  it("keeps the best of many, and of equal ones the older", () => {
    const impacts = new Map(Array.from({ length: 5_000 }, (_, id) => [id, id === 4_321 ? 200 : 100]));
    const terms = [{ term: "t", weight: 1, soft: false, word: "t", blocks: blocksOf(impacts) }];
    const ranked = rankTools(terms, { limit: 4 });
    expect(ranked.map((entry) => entry.tool)).toEqual([4_321, 0, 1, 2]);
  });

  it("says which words a tool has", () => {
    const term = (word: string | null, ...tools: number[]): TermPostings => ({
      term: String(word),
      weight: 1,
      soft: false,
      word,
      blocks: blocksOf(new Map(tools.map((id) => [id, 9]))),
    });
    const terms = [term("rain", 1, 9_000), term("wind", 2), term(null, 1), term("rain", 1)];
    expect(matchedWords(terms, 1)).toEqual(["rain"]);
    expect(matchedWords(terms, 9_000)).toEqual(["rain"]);
    expect(matchedWords(terms, 2)).toEqual(["wind"]);
    expect(matchedWords(terms, 3)).toEqual([]);
  });
});
