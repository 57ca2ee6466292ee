/** The catalogs that this one learns relays from, and how the last sync with each went. */
import { z } from "zod";
import type { PeersOutput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { peerSchema } from "../schemas.ts";

export const peers = defineOperation<"peers", Record<never, never>, PeersOutput>({
  name: "peers",
  summary: "List peers",
  description:
    "The other catalogs that this one learns relays from. What it learns it looks at for itself before it lists it, and marks with via.",
  access: "open",
  readOnly: true,
  input: z.object({}),
  output: z.object({ peers: z.array(peerSchema) }),
  async run({ store }) {
    return { peers: await store.peers.list() };
  },
});
