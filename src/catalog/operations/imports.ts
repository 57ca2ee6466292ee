/** The imports that there are, the newest first. */
import { z } from "zod";
import { type ImportsOutput, OpenMcpError } from "../../spec/index.ts";
import { importJobSchema } from "../imports/schemas.ts";
import { IMPORTS_TOLD } from "../limits.ts";
import { defineOperation } from "../operation.ts";

export const imports = defineOperation<"imports", Record<never, never>, ImportsOutput>({
  name: "imports",
  summary: "List the imports",
  description: "Imports under way and those of the last week, the newest first. Needs the admin credential.",
  access: "admin",
  readOnly: true,
  input: z.object({}),
  output: z.object({ jobs: z.array(importJobSchema) }),
  async run({ store }, _input, { admin }) {
    if (!admin) throw new OpenMcpError("unauthorized", "reading imports needs the admin credential");
    return { jobs: await store.imports.list(IMPORTS_TOLD) };
  },
});
