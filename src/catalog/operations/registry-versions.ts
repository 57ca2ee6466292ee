/** The versions of one server, as the official registry tells them: here that is the one that was last seen. */
import { z } from "zod";
import { defineOperation } from "../operation.ts";
import { registryEntriesNamed } from "../publishing/registry-entries.ts";
import { registryListSchema, serverNameField } from "../publishing/schemas.ts";
import { serverNotFound } from "../publishing/server-not-found.ts";
import type { RegistryServersOutput } from "./registry-servers.ts";

export const registryVersions = defineOperation<
  "registryVersions",
  { readonly name: string },
  RegistryServersOutput
>({
  name: "registryVersions",
  summary: "One server's versions, as the official registry lists them",
  description: "The version of the relay that was last seen: older ones are not kept.",
  access: "open",
  readOnly: true,
  input: z.object({ name: serverNameField }),
  output: registryListSchema,
  async run(context, { name }) {
    const servers = await registryEntriesNamed(context, name);
    if (servers.length === 0) throw serverNotFound(name);
    return { servers, metadata: { count: servers.length } };
  },
});
