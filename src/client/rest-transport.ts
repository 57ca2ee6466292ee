/** The catalog over REST (wire.md "REST, under /v1"): which route each method asks, and nothing else. */
import type { FindToolsInput, JsonObject, ListRelaysInput } from "../spec/index.ts";
import {
  readAddedPeer,
  readBulk,
  readBulkJob,
  readCall,
  readFound,
  readPeers,
  readProbed,
  readRecordList,
  readRecords,
  readRegistered,
  readRelay,
  readRemoved,
  readRemovedPeer,
  readSyncedPeers,
  readTools,
} from "./answers.ts";
import { readChanges, readHistory } from "./change-answers.ts";
import { filterQuery, followEvents } from "./follow-events.ts";
import {
  readClaims,
  readImportJob,
  readImportResults,
  readImports,
  readImportTaken,
} from "./import-answers.ts";
import { SYNC_TIMEOUT_MS } from "./limits.ts";
import { createRestClient } from "./rest-request.ts";
import type { ClientSettings, RequestOptions } from "./settings.ts";
import type { CatalogTransport } from "./transport.ts";
import { readQueued, readSubscribed, readWebhook } from "./webhook-answers.ts";

export function createRestTransport(settings: ClientSettings): CatalogTransport {
  const { ask, open } = createRestClient(settings);

  async function listed(input: ListRelaysInput, options?: RequestOptions): Promise<JsonObject> {
    const query = { ...filter(input), limit: input.limit, cursor: input.cursor };
    return (await ask({ method: "GET", path: "/relays", query, asked: "read" }, options)).body;
  }

  return {
    kind: "rest",
    list: async (input, options) => readRecordList(await listed(input, options)),
    records: async (input, options) => readRecords(await listed(input, options)),
    async get({ id }, options) {
      const answer = await ask({ method: "GET", path: relay(id), asked: "read" }, options);
      return readRelay(answer.body);
    },
    async tools({ id }, options) {
      const answer = await ask({ method: "GET", path: `${relay(id)}/tools`, asked: "read" }, options);
      return readTools(answer.body, id);
    },
    async openapi({ id }, options) {
      const path = `${relay(id)}/openapi.json`;
      return (await ask({ method: "GET", path, asked: "read" }, options)).body;
    },
    async find(input, options) {
      const query = { ...filter(input), limit: input.limit, maxTokens: input.maxTokens };
      const answer = await ask({ method: "GET", path: "/tools", query, asked: "read" }, options);
      return readFound(answer.body);
    },
    async call({ relay: id, tool, arguments: given = {}, ...more }, options) {
      // What is undefined is not written.
      const body = { tool, arguments: given, ...more } as JsonObject;
      const answer = await ask({ method: "POST", path: `${relay(id)}/call`, body, asked: "call" }, options);
      return readCall(answer.body, { relay: id, tool });
    },
    async register({ url }, options) {
      const answer = await ask(
        { method: "POST", path: "/relays", body: { url }, asked: "register" },
        options,
      );
      return readRegistered(answer.body, { created: answer.status === 201 });
    },
    async refresh({ id }, options) {
      const answer = await ask({ method: "POST", path: `${relay(id)}/refresh`, asked: "register" }, options);
      return readProbed(answer.body);
    },
    async remove({ id }, options) {
      const answer = await ask({ method: "DELETE", path: relay(id), asked: "admin" }, options);
      return readRemoved(answer.body, id);
    },
    async bulk({ urls }, options) {
      const body = { urls: [...urls] };
      const answer = await ask({ method: "POST", path: "/relays/bulk", body, asked: "read" }, options);
      return readBulk(answer.body);
    },
    async bulkJob({ job }, options) {
      const path = `/relays/bulk/${encodeURIComponent(job)}`;
      const answer = await ask({ method: "GET", path, asked: "read" }, options);
      return readBulkJob(answer.body);
    },
    async importRelays(input, options) {
      const body = { ...input } as JsonObject;
      const answer = await ask({ method: "POST", path: "/import", body, asked: "admin" }, options);
      return readImportTaken(answer.body);
    },
    async imports(_input, options) {
      return readImports((await ask({ method: "GET", path: "/import", asked: "admin" }, options)).body);
    },
    async importJob({ job }, options) {
      const answer = await ask({ method: "GET", path: importOf(job), asked: "admin" }, options);
      return readImportJob(answer.body);
    },
    async importResults({ job, limit, cursor }, options) {
      const path = `${importOf(job)}/results`;
      const answer = await ask({ method: "GET", path, query: { limit, cursor }, asked: "admin" }, options);
      return readImportResults(answer.body);
    },
    async cancelImport({ job }, options) {
      const answer = await ask({ method: "DELETE", path: importOf(job), asked: "admin" }, options);
      return readImportJob(answer.body);
    },
    async claims({ id }, options) {
      const answer = await ask({ method: "GET", path: `${relay(id)}/claims`, asked: "read" }, options);
      return readClaims(answer.body, id);
    },
    async changes({ since, limit, ...filter }, options) {
      const query = { since, limit, ...filterQuery(filter) };
      return readChanges(
        (await ask({ method: "GET", path: "/changes", query, asked: "read" }, options)).body,
      );
    },
    watch: (input, options) => followEvents(open, { ...input, ...options, client: settings }),
    async history({ id }, options) {
      const answer = await ask({ method: "GET", path: `${relay(id)}/history`, asked: "read" }, options);
      return readHistory(answer.body, id);
    },
    async peers(_input, options) {
      return readPeers((await ask({ method: "GET", path: "/peers", asked: "read" }, options)).body);
    },
    async addPeer({ url }, options) {
      const answer = await ask({ method: "POST", path: "/peers", body: { url }, asked: "admin" }, options);
      return readAddedPeer(answer.body, url);
    },
    async removePeer({ url }, options) {
      const answer = await ask({ method: "DELETE", path: "/peers", query: { url }, asked: "admin" }, options);
      return readRemovedPeer(answer.body, url);
    },
    async syncPeers(_input, options) {
      const slow = { timeoutMs: settings.timeoutMs ?? SYNC_TIMEOUT_MS, ...options };
      return readSyncedPeers((await ask({ method: "POST", path: "/peers/sync", asked: "admin" }, slow)).body);
    },
    async subscribe(input, options) {
      const answer = await ask(
        { method: "POST", path: "/webhooks", body: { ...input }, asked: "read" },
        options,
      );
      return readSubscribed(answer.body);
    },
    async webhook({ id }, options) {
      return readWebhook((await ask({ method: "GET", path: webhook(id), asked: "read" }, options)).body);
    },
    async unsubscribe({ id }, options) {
      await ask({ method: "DELETE", path: webhook(id), asked: "read" }, options);
      return { removed: true };
    },
    async testWebhook({ id }, options) {
      return readQueued(
        (await ask({ method: "POST", path: `${webhook(id)}/test`, asked: "read" }, options)).body,
      );
    },
    async redeliver({ id, delivery }, options) {
      const path = `${webhook(id)}/deliveries/${encodeURIComponent(delivery)}/redeliver`;
      return readQueued((await ask({ method: "POST", path, asked: "read" }, options)).body);
    },
    async close() {},
  };
}

function relay(id: string): string {
  return `/relays/${encodeURIComponent(id)}`;
}

function importOf(job: string): string {
  return `/import/${encodeURIComponent(job)}`;
}

function webhook(id: string): string {
  return `/webhooks/${encodeURIComponent(id)}`;
}

function filter(input: ListRelaysInput | FindToolsInput): Record<string, string | undefined> {
  return {
    q: input.q,
    tag: input.tag,
    online: flag(input.online),
    verified: flag(input.verified),
    auth: input.auth,
    era: input.era,
  };
}

function flag(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? "1" : "0";
}
