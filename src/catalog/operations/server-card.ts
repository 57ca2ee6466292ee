/** One relay's Server Card, made of its record: for relays that publish none, and for readers who know of no other document. */
import { z } from "zod";
import { OpenMcpError, type RelayIdInput, type ServerCard, toServerCard } from "../../spec/index.ts";
import { relayNotFound } from "../not-found.ts";
import { defineOperation } from "../operation.ts";
import { describeListed } from "../publishing/describe-listed.ts";
import { serverCardSchema } from "../publishing/schemas.ts";
import { relayIdField } from "../schemas.ts";

export const serverCard = defineOperation<"serverCard", RelayIdInput, ServerCard>({
  name: "serverCard",
  summary: "One relay's Server Card",
  description:
    "A Server Card (SEP-2127) made of the relay's record. `_meta` says that this catalog made it; the relay's own, where it has one, is beside its endpoint.",
  access: "open",
  readOnly: true,
  input: z.object({ id: relayIdField("id") }),
  output: serverCardSchema,
  about: ({ id }) => id,
  async run(context, { id }) {
    const { store } = context;
    const stored = await store.relays.get(id);
    if (stored === null) throw await relayNotFound(store, id);
    const changedAt = (await store.changes.lastChanged([id])).get(id);
    const listed = await describeListed(context.identity, { record: stored.record, changedAt });
    if (listed !== null) return toServerCard(listed.description, { url: context.identity.url });
    throw new OpenMcpError(
      "not-found",
      `no card can be published of "${id}": its record has what a card may not`,
      {
        data: { relay: id },
      },
    );
  },
});
