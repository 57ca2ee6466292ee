/** Ends an import where it is. What was listed stays; looks that are under way are broken off. */
import { z } from "zod";
import { type GetImportOutput, type ImportJobInput, OpenMcpError } from "../../spec/index.ts";
import { importJobField, importJobSchema } from "../imports/schemas.ts";
import { defineOperation } from "../operation.ts";
import { shared } from "../shared.ts";
import { noSuchImport } from "./import-job.ts";

export const cancelImport = defineOperation<"cancelImport", ImportJobInput, GetImportOutput>({
  name: "cancelImport",
  summary: "Cancel an import",
  description:
    "Ends an import where it is: it reads no further and looks at nothing more. What was listed stays. One that has ended is left " +
    "as it is. Needs the admin credential.",
  access: "admin",
  readOnly: false,
  input: z.object({ job: importJobField }),
  output: z.object({ job: importJobSchema }),
  async run({ store, clock }, { job: id }, { admin }) {
    if (!admin) throw new OpenMcpError("unauthorized", "cancelling an import needs the admin credential");
    if (await store.imports.cancel(id, clock.now())) shared(store).imports.ring();
    const job = await store.imports.get(id);
    if (job === null) throw noSuchImport(id);
    return { job };
  },
});
