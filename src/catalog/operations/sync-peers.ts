/**
 * Syncs all peers now, each in its own lane, and answers when all are done. A caller who goes away leaves the rest to the
 * worker; what each peer did is in its own `lastError`.
 */
import { z } from "zod";
import { OpenMcpError, type SyncPeersOutput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { syncPeer } from "../peers/sync-peer.ts";
import { shared } from "../shared.ts";

export const syncPeers = defineOperation<"syncPeers", Record<never, never>, SyncPeersOutput>({
  name: "syncPeers",
  summary: "Learn from all peers now",
  description:
    "Reads the list of every peer and looks at what is new, whatever the schedule says. Needs the admin credential.",
  access: "admin",
  readOnly: false,
  input: z.object({}),
  output: z.object({
    peers: z.number().describe("How many peers were asked."),
    learned: z.number().describe("Relays that were listed for the first time."),
  }),
  async run(context, _input, { admin, signal }) {
    if (!admin) throw new OpenMcpError("unauthorized", "syncing peers needs the admin credential");
    const peers = await context.store.peers.list();
    const syncs = peers.map(({ url }) => syncPeer(context, url, { signal }));
    shared(context.store).syncAll.ring();
    const settled = await Promise.allSettled(syncs);
    const failed = settled.find((sync) => sync.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    const learned = settled.reduce(
      (sum, sync) => sum + (sync.status === "fulfilled" ? sync.value.learned : 0),
      0,
    );
    return { peers: peers.length, learned };
  },
});
