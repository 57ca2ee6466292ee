/** The operations table: everything the catalog can do, by name. Doors and documents derive from it. */
import { addPeer } from "./add-peer.ts";
import { bulk } from "./bulk.ts";
import { bulkJob } from "./bulk-job.ts";
import { call } from "./call.ts";
import { changes } from "./changes.ts";
import { counts } from "./counts.ts";
import { find } from "./find.ts";
import { get } from "./get.ts";
import { history } from "./history.ts";
import { list } from "./list.ts";
import { peers } from "./peers.ts";
import { redeliver } from "./redeliver.ts";
import { refresh } from "./refresh.ts";
import { register } from "./register.ts";
import { remove } from "./remove.ts";
import { removePeer } from "./remove-peer.ts";
import { standing } from "./standing.ts";
import { subscribe } from "./subscribe.ts";
import { summaries } from "./summaries.ts";
import { syncPeers } from "./sync-peers.ts";
import { testWebhook } from "./test-webhook.ts";
import { tools } from "./tools.ts";
import { unsubscribe } from "./unsubscribe.ts";
import { webhook } from "./webhook.ts";

export const operations = {
  list,
  summaries,
  get,
  tools,
  find,
  call,
  register,
  bulk,
  bulkJob,
  refresh,
  remove,
  counts,
  changes,
  history,
  standing,
  peers,
  addPeer,
  removePeer,
  syncPeers,
  subscribe,
  webhook,
  unsubscribe,
  testWebhook,
  redeliver,
} as const;
