/** How far an import has come, and what it gave so far. */
import { z } from "zod";
import { type GetImportOutput, type ImportJobInput, OpenMcpError } from "../../spec/index.ts";
import { importJobField, importJobSchema } from "../imports/schemas.ts";
import { defineOperation } from "../operation.ts";

export const importJob = defineOperation<"importJob", ImportJobInput, GetImportOutput>({
  name: "importJob",
  summary: "How far an import has come",
  description: "The state of an import and its report. Needs the admin credential.",
  access: "admin",
  readOnly: true,
  input: z.object({ job: importJobField }),
  output: z.object({ job: importJobSchema }),
  async run({ store }, { job: id }, { admin }) {
    if (!admin) throw new OpenMcpError("unauthorized", "reading an import needs the admin credential");
    const job = await store.imports.get(id);
    if (job === null) throw noSuchImport(id);
    return { job };
  },
});

export function noSuchImport(id: string): OpenMcpError {
  return new OpenMcpError("not-found", "no such import: finished ones are kept for a week", {
    data: { job: id },
  });
}
