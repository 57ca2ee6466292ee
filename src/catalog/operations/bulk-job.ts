/** How far a bulk registration has come, and what became of each URL. */
import { z } from "zod";
import { type BulkJobInput, type GetBulkOutput, OpenMcpError } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { probeStateSchema, relayIdField } from "../schemas.ts";

export const bulkJob = defineOperation<"bulkJob", BulkJobInput, GetBulkOutput>({
  name: "bulkJob",
  summary: "How far a bulk registration has come",
  description: "The state of a bulk registration and the result of each URL that is done.",
  access: "open",
  readOnly: true,
  input: z.object({ job: relayIdField("job") }),
  output: z.object({
    job: z.object({
      id: z.string(),
      createdAt: z.string(),
      finishedAt: z.string().nullable(),
      total: z.number(),
      done: z.number(),
      results: z.array(
        z.object({
          url: z.string(),
          outcome: z.enum(["listed", "known", "refused", "failed"]),
          relay: z.string().nullable(),
          state: probeStateSchema.nullable(),
          error: z.string().nullable(),
        }),
      ),
    }),
  }),
  async run({ store }, { job: id }) {
    const job = await store.jobs.get(id);
    if (job === null) {
      throw new OpenMcpError("not-found", "no such job: finished ones are kept for a week", {
        data: { job: id },
      });
    }
    return { job };
  },
});
