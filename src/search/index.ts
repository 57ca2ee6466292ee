/**
 * Ranked search of tools, without a database: text to terms, tools to impacts, questions to plans, postings to a ranking.
 * A store keeps the postings and runs the plan; docs/decisions/ has the measurements behind it.
 */
export { readServer, readTool, type ServerFields, type ServerText, type ToolFields } from "./fields.ts";
export {
  countLengths,
  drifted,
  type FieldLengths,
  impactsOf,
  type LengthSums,
  lengthsOf,
  meanLengths,
  noLengths,
} from "./impacts.ts";
export { type Plan, type PlannedTerm, planQuestion, type Vocabulary } from "./plan.ts";
export { BLOCK_SIZE, blockOf, changePostings, countOf, placeOf } from "./postings.ts";
export { type Question, type QuestionWord, readQuestion } from "./question.ts";
export { matchedWords, type RankedTool, rankTools, type TermPostings } from "./rank.ts";
export { bestPossible, MORE_CANDIDATES, refineScores } from "./refine.ts";
export { distance } from "./spelling.ts";
