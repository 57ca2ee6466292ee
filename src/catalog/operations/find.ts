/** The tools that do what some plain words say, best first, with where each lives. */
import { z } from "zod";
import type { FindToolsInput, FindToolsOutput, FoundTool } from "../../spec/index.ts";
import { CHARS_PER_TOKEN, DEFAULT_FIND_LIMIT, MAX_FIND_LIMIT, MAX_FIND_TOKENS } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { authField, countField, flagField, questionField, relayFilterShape } from "../schemas.ts";

export const find = defineOperation<"find", FindToolsInput, FindToolsOutput>({
  name: "find",
  summary: "Find a tool by what it should do",
  description:
    "Say in plain words what you want done; the answer names tools that may do it, best first, each with its relay and its input schema. " +
    "Then call the tool with the relay and tool named there.",
  access: "open",
  readOnly: true,
  input: z.object({
    q: questionField.describe('What the tool should do, in plain words, such as "convert a pdf to text".'),
    limit: countField("limit", { min: 1, max: MAX_FIND_LIMIT })
      .describe(`Tools in the answer; ${DEFAULT_FIND_LIMIT} unless given.`)
      .optional(),
    online: flagField("online")
      .describe("Online relays only unless this is false; then tools of offline relays come too.")
      .optional(),
    verified: relayFilterShape.verified,
    tag: relayFilterShape.tag,
    auth: authField.optional(),
    era: relayFilterShape.era,
    maxTokens: countField("maxTokens", { min: 1, max: MAX_FIND_TOKENS })
      .describe("Keeps the answer within about this many tokens; the best tool always comes.")
      .optional(),
  }),
  output: z.object({
    tools: z.array(
      z.object({
        relay: z.string(),
        name: z.string(),
        title: z.string().optional(),
        description: z.string().optional(),
        inputSchema: z.any().optional(),
        auth: authField,
        online: z.boolean(),
        verified: z.boolean(),
        score: z.number(),
        matched: z.array(z.string()).describe("The words of the question that were found."),
      }),
    ),
    indexing: z
      .int()
      .describe("Relays listed just now whose tools can't be found yet; absent when there are none.")
      .optional(),
  }),
  async run({ store, meter }, { limit = DEFAULT_FIND_LIMIT, online, maxTokens, ...filter }) {
    const started = performance.now();
    // `online: false` asks for the offline ones too, not for them alone (wire.md).
    const found = await store.tools.find({
      ...filter,
      limit,
      ...(online === false ? {} : { online: true }),
    });
    meter.observe("search_duration_seconds", (performance.now() - started) / 1_000, {});
    const indexing = await store.searchIndex.unseen();
    return {
      tools: maxTokens === undefined ? found : fitted(found, maxTokens * CHARS_PER_TOKEN),
      ...(indexing === 0 ? {} : { indexing }),
    };
  },
});

function fitted(found: readonly FoundTool[], maxChars: number): readonly FoundTool[] {
  let chars = 0;
  const end = found.findIndex((tool, position) => {
    chars += JSON.stringify(tool).length;
    return position > 0 && chars > maxChars;
  });
  return end === -1 ? found : found.slice(0, end);
}
