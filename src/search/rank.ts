/**
 * The tools that a plan scores highest, from the postings of its terms. Block by block, so that the scores of one block
 * stay in the processor's cache and no table of all tools is kept.
 */
import { MAX_IMPACT } from "./impacts.ts";
import type { PlannedTerm } from "./plan.ts";
import { addScores, BLOCK_SIZE, blockOf, hasPlace, placeOf, raiseScores } from "./postings.ts";

export interface TermPostings extends PlannedTerm {
  readonly blocks: ReadonlyMap<number, Uint8Array>;
}

export interface RankedTool {
  readonly tool: number;
  /** Above 0; in the plan's weights. */
  readonly score: number;
}

/** Best first, of equal ones the older; at most `limit`, and only `allowed` ones when that is given. */
export function rankTools(
  terms: readonly TermPostings[],
  options: { readonly limit: number; readonly allowed?: ReadonlySet<number> },
): readonly RankedTool[] {
  const { limit, allowed } = options;
  const hard = terms.filter((term) => !term.soft);
  const soft = terms.filter((term) => term.soft);
  const blocks = [...new Set(hard.flatMap((term) => [...term.blocks.keys()]))].sort((a, b) => a - b);
  const scores = new Float32Array(BLOCK_SIZE);
  const best = new Best(limit);
  for (const block of blocks) {
    scores.fill(0);
    for (const { blocks, weight } of hard) {
      const postings = blocks.get(block);
      if (postings !== undefined) addScores(scores, postings, weight / MAX_IMPACT);
    }
    for (const { blocks, weight } of soft) {
      const postings = blocks.get(block);
      if (postings !== undefined) raiseScores(scores, postings, weight / MAX_IMPACT);
    }
    const first = block * BLOCK_SIZE;
    for (let place = 0; place < BLOCK_SIZE; place++) {
      const score = scores[place] as number;
      if (score > best.floor && (allowed === undefined || allowed.has(first + place))) {
        best.add({ tool: first + place, score });
      }
    }
  }
  return best.list();
}

/** The words of the question that the tool has, in the question's order. */
export function matchedWords(terms: readonly TermPostings[], tool: number): readonly string[] {
  const block = blockOf(tool);
  const place = placeOf(tool);
  const words = terms
    .filter(({ word, blocks }) => word !== null && hasPlace(blocks.get(block) ?? NONE, place))
    .map(({ word }) => word as string);
  return [...new Set(words)];
}

const NONE = new Uint8Array(0);

/** The highest of many: fills to twice the limit, then keeps the better half. */
class Best {
  /** A score not above it is not among the best. */
  floor = 0;
  private readonly limit: number;
  private tools: RankedTool[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  add(tool: RankedTool): void {
    this.tools.push(tool);
    if (this.tools.length >= 2 * this.limit + 64) {
      this.tools = this.list();
      this.floor = this.tools.at(-1)?.score ?? 0;
    }
  }

  list(): RankedTool[] {
    return this.tools.sort((a, b) => b.score - a.score || a.tool - b.tool).slice(0, this.limit);
  }
}
