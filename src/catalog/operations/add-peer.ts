/** Adds a peer; its first sync starts at once. One that does not answer now is added as well: it may do so later. */
import { z } from "zod";
import { type AddPeerOutput, OpenMcpError, type PeerInput } from "../../spec/index.ts";
import { defineOperation } from "../operation.ts";
import { MAX_PEERS, PEER_GREETING_MS } from "../peers/limits.ts";
import { findPeerApi, isOwn } from "../peers/peer-api.ts";
import { parsePeerUrl } from "../peers/peer-url.ts";
import { peerSchema, peerUrlField } from "../schemas.ts";
import { shared } from "../shared.ts";

export const addPeer = defineOperation<"addPeer", PeerInput, AddPeerOutput>({
  name: "addPeer",
  summary: "Add a peer",
  description:
    "Names another catalog whose relays this one learns from now on, by its site, its descriptor or its /v1. Needs the admin credential.",
  access: "admin",
  readOnly: false,
  input: z.object({ url: peerUrlField }),
  output: z.object({
    added: z.string().describe("The URL under which the peer is kept."),
    peers: z.array(peerSchema),
  }),
  async run(context, { url: given }, { admin, signal }) {
    const { store, clock, identity } = context;
    if (!admin) throw new OpenMcpError("unauthorized", "adding a peer needs the admin credential");
    const read = parsePeerUrl(given);
    if (!read.ok) throw refuse(read.problem);
    const { url } = read;
    const peers = await store.peers.list();
    if (peers.some((peer) => peer.url === url)) return { added: url, peers };
    if (peers.length >= MAX_PEERS) throw refuse(`a catalog has at most ${MAX_PEERS} peers: remove one first`);
    const found = isOwn(url, identity)
      ? ({ kind: "self" } as const)
      : await findPeerApi(context, url, { signal, timeoutMs: PEER_GREETING_MS });
    if (found.kind === "self") throw refuse("that is this catalog itself: name another");
    if (found.kind === "blocked") {
      throw new OpenMcpError("blocked", `"url": ${found.problem}`, { data: { field: "url" } });
    }
    await store.peers.add(url, clock.now());
    shared(store).peers.ring();
    return { added: url, peers: await store.peers.list() };
  },
});

function refuse(problem: string): OpenMcpError {
  return new OpenMcpError("invalid-input", `"url": ${problem}`, { data: { field: "url" } });
}
