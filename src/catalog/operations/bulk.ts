/** Takes many URLs at once; a job in the store registers them, also after a restart. */
import { z } from "zod";
import { type BulkInput, type BulkOutput, OpenMcpError } from "../../spec/index.ts";
import { parseGivenUrl } from "../given-url.ts";
import { MAX_BULK_URLS, MAX_URL_CHARS } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { shared } from "../shared.ts";

export const bulk = defineOperation<"bulk", BulkInput, BulkOutput>({
  name: "bulk",
  summary: "Register many relays",
  description: `Registers up to ${MAX_BULK_URLS} URLs in the background; poll the job for the result of each.`,
  access: "open",
  readOnly: false,
  budget: { name: "bulk", cost: ({ urls }) => urls.length },
  input: z.object({
    urls: z
      .array(z.string('"urls" must hold texts only'), '"urls" must be a list of URLs')
      .min(1, '"urls" is empty: give at least one URL')
      .max(
        MAX_BULK_URLS,
        `"urls" has too many entries: at most ${MAX_BULK_URLS}, in several requests if need be`,
      )
      .describe("Sites, MCP endpoints or descriptors."),
  }),
  output: z.object({
    job: z.string().describe("Ask for it later by this id."),
    rejected: z.array(z.object({ url: z.string(), error: z.string() })),
  }),
  async run({ store, clock, newId }, { urls }) {
    const taken: string[] = [];
    const rejected: { url: string; error: string }[] = [];
    for (const line of urls) {
      const given = parseGivenUrl(line);
      if (given.ok) taken.push(given.url);
      else rejected.push({ url: line.slice(0, MAX_URL_CHARS), error: given.problem });
    }
    if (taken.length === 0) {
      throw new OpenMcpError("invalid-input", '"urls" holds no URL: give one a line or entry', {
        data: { field: "urls", rejected },
      });
    }
    const id = newId();
    await store.jobs.create({ id, urls: taken, now: clock.now() });
    shared(store).jobs.ring();
    return { job: id, rejected };
  },
});
