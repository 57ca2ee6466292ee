/** The operations table: everything the catalog can do, by name. Doors and documents derive from it. */
import { addPeer } from "./add-peer.ts";
import { aiCatalog } from "./ai-catalog.ts";
import { bulk } from "./bulk.ts";
import { bulkJob } from "./bulk-job.ts";
import { call } from "./call.ts";
import { cancelImport } from "./cancel-import.ts";
import { catalogCard } from "./catalog-card.ts";
import { changes } from "./changes.ts";
import { claims } from "./claims.ts";
import { counts } from "./counts.ts";
import { facets } from "./facets.ts";
import { find } from "./find.ts";
import { get } from "./get.ts";
import { history } from "./history.ts";
import { importJob } from "./import-job.ts";
import { importRelays } from "./import-relays.ts";
import { importResults } from "./import-results.ts";
import { imports } from "./imports.ts";
import { list } from "./list.ts";
import { mcpCatalog } from "./mcp-catalog.ts";
import { openapi } from "./openapi.ts";
import { peers } from "./peers.ts";
import { recent } from "./recent.ts";
import { redeliver } from "./redeliver.ts";
import { refresh } from "./refresh.ts";
import { register } from "./register.ts";
import { registryServers } from "./registry-servers.ts";
import { registryVersion } from "./registry-version.ts";
import { registryVersions } from "./registry-versions.ts";
import { remove } from "./remove.ts";
import { removePeer } from "./remove-peer.ts";
import { serverCard } from "./server-card.ts";
import { standing } from "./standing.ts";
import { status } from "./status.ts";
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
  openapi,
  find,
  call,
  register,
  bulk,
  bulkJob,
  importRelays,
  imports,
  importJob,
  importResults,
  cancelImport,
  claims,
  refresh,
  remove,
  counts,
  facets,
  status,
  recent,
  changes,
  history,
  standing,
  serverCard,
  catalogCard,
  aiCatalog,
  mcpCatalog,
  registryServers,
  registryVersions,
  registryVersion,
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
