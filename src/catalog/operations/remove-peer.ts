/** Removes a peer. What was learned from it stays listed: this catalog looked for itself, and goes on doing so. */
import { z } from "zod";
import { OpenMcpError, type PeerInput, type RemovePeerOutput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { parsePeerUrl } from "../peers/peer-url.ts";
import { peerUrlField } from "../schemas.ts";
import { shared } from "../shared.ts";

export const removePeer = defineOperation<"removePeer", PeerInput, RemovePeerOutput>({
  name: "removePeer",
  summary: "Remove a peer",
  description:
    "Learns nothing more from another catalog; relays that were learned from it stay listed. Needs the admin credential.",
  access: "admin",
  readOnly: false,
  input: z.object({ url: peerUrlField }),
  output: z.object({ removed: z.string() }),
  async run({ store }, { url: given }, { admin }) {
    if (!admin) throw new OpenMcpError("unauthorized", "removing a peer needs the admin credential");
    const read = parsePeerUrl(given);
    const url = read.ok ? read.url : given;
    if (!(await store.peers.remove(url))) {
      throw new OpenMcpError("not-found", `no peer ${url}: list the peers to see their URLs`, {
        data: { peer: url },
      });
    }
    shared(store).peers.ring();
    return { removed: url };
  },
});
