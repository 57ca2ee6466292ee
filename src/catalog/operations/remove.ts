/** Removes a relay: the admin's word, and the only way a record leaves. */
import { z } from "zod";
import { OpenMcpError, type RelayIdInput, type RemoveOutput } from "../../spec/index.ts";
import { relayNotFound } from "../not-found.ts";
import { defineOperation } from "../operation.ts";
import { relayIdField } from "../schemas.ts";

export const remove = defineOperation<"remove", RelayIdInput, RemoveOutput>({
  name: "remove",
  summary: "Remove a relay",
  description: "Takes a relay out of the catalog. Needs the admin credential.",
  access: "admin",
  readOnly: false,
  input: z.object({ id: relayIdField("id") }),
  output: z.object({ removed: z.string() }),
  about: ({ id }) => id,
  async run({ store, clock, meter, newId }, { id }, { admin }) {
    // Doors ask for the credential and say how; this is the last line, should one forget.
    if (!admin) throw new OpenMcpError("unauthorized", "removing a relay needs the admin credential");
    if (!(await store.relays.remove(id, { id: newId() }, clock.now()))) throw await relayNotFound(store, id);
    meter.count("changes_total", { event: "relay.removed" });
    return { removed: id };
  },
});
