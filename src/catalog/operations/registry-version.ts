/** One version of one server, as the official registry tells it. */
import { z } from "zod";
import { defineOperation } from "../operation.ts";
import { MAX_VERSION_CHARS } from "../publishing/limits.ts";
import { type RegistryServerEntry, registryEntriesNamed } from "../publishing/registry-entries.ts";
import { registryEntrySchema, serverNameField } from "../publishing/schemas.ts";
import { serverNotFound } from "../publishing/server-not-found.ts";
import { textField } from "../schemas.ts";

export const registryVersion = defineOperation<
  "registryVersion",
  { readonly name: string; readonly version: string },
  RegistryServerEntry
>({
  name: "registryVersion",
  summary: "One version of a server, as the official registry shows it",
  description: "`latest`, or the version of the relay that was last seen.",
  access: "open",
  readOnly: true,
  input: z.object({
    name: serverNameField,
    version: textField("version", { max: MAX_VERSION_CHARS, what: 'a version, or "latest"' }),
  }),
  output: registryEntrySchema,
  async run(context, { name, version }) {
    const entries = await registryEntriesNamed(context, name);
    const found = entries.find(({ server }) => version === "latest" || server.version === version);
    if (found === undefined) throw serverNotFound(name, version);
    return found;
  },
});
