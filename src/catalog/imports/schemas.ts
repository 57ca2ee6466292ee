/** The shapes that the operations on imports share, for documents and checks. */
import { z } from "zod";
import { importFailures, importSkips, importSources, probeStates } from "../../spec/index.ts";
import { relayIdField } from "../schemas.ts";

export const importJobField = relayIdField("job");

export const importFailureSchema = z.enum([...probeStates, ...importFailures]);

const skips = z.partialRecord(z.enum(importSkips), z.number());
const failures = z.partialRecord(importFailureSchema, z.number());

export const importJobSchema = z
  .object({
    id: z.string(),
    from: z.enum(importSources),
    url: z.string().nullable().describe("What it reads."),
    since: z.string().nullable(),
    limit: z.number().nullable(),
    dryRun: z.boolean(),
    createdAt: z.string(),
    finishedAt: z.string().nullable(),
    state: z.enum(["reading", "probing", "done", "cancelled"]),
    complete: z
      .boolean()
      .nullable()
      .describe("Whether all that there is was read; null while it is being read."),
    problems: z.array(z.string()).describe("What went wrong while reading, in sentences."),
    waitsUntil: z.string().nullable().describe("When reading goes on that had to wait."),
    report: z.object({
      documents: z.number().describe("Pages, catalogs and cards read."),
      seen: z.number().describe("Entries read, each once."),
      taken: z.number().describe("URLs taken, each once however many entries name it."),
      shared: z.number().describe("Further entries that name a URL that was taken already."),
      skipped: skips.describe("Entries that gave nothing to look at, by why."),
      listed: z.number().describe("Of those taken: listed for the first time."),
      known: z.number().describe("Of those taken: listed here already."),
      failed: failures.describe("Of those taken: not listed, by what was found."),
    }),
  })
  .describe("An import: how far it has come, and what it gave.");
