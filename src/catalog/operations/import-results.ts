/** What became of each URL that an import took, and under which names its source lists it. */
import { z } from "zod";
import { type ImportResultsInput, type ImportResultsOutput, OpenMcpError } from "../../spec/index.ts";
import { importFailureSchema, importJobField } from "../imports/schemas.ts";
import { DEFAULT_LIST_LIMIT, MAX_LIST_LIMIT } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { countField, cursorField, pageShape } from "../schemas.ts";
import { noSuchImport } from "./import-job.ts";

export const importResults = defineOperation<"importResults", ImportResultsInput, ImportResultsOutput>({
  name: "importResults",
  summary: "What became of each URL of an import",
  description:
    "A page of the URLs that an import took, in the order of taking, with the names under which the source lists each and what " +
    "became of it. Needs the admin credential.",
  access: "admin",
  readOnly: true,
  input: z.object({
    job: importJobField,
    limit: countField("limit", { min: 1, max: MAX_LIST_LIMIT })
      .describe("URLs on a page; default 100.")
      .optional(),
    cursor: cursorField.optional(),
  }),
  output: z.object({
    results: z.array(
      z.object({
        url: z.string(),
        names: z.array(z.string()).describe("Under which the source lists it."),
        outcome: z.enum(["waiting", "taken", "listed", "known", "failed"]),
        relay: z.string().nullable(),
        failure: importFailureSchema.nullable(),
        error: z.string().nullable(),
      }),
    ),
    nextCursor: pageShape.nextCursor,
  }),
  async run({ store }, { job, limit = DEFAULT_LIST_LIMIT, cursor }, { admin }) {
    if (!admin) throw new OpenMcpError("unauthorized", "reading an import needs the admin credential");
    if ((await store.imports.get(job)) === null) throw noSuchImport(job);
    return store.imports.results(job, { limit, ...(cursor === undefined ? {} : { cursor }) });
  },
});
