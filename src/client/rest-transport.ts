/** The catalog over REST (wire.md "REST, under /v1"): which route each method asks, and nothing else. */
import type { FindToolsInput, JsonObject, ListRelaysInput } from "../spec/index.ts";
import {
  readBulk,
  readBulkJob,
  readCall,
  readFound,
  readProbed,
  readRecordList,
  readRegistered,
  readRelay,
  readRemoved,
  readTools,
} from "./answers.ts";
import { createRestRequest } from "./rest-request.ts";
import type { ClientSettings } from "./settings.ts";
import type { CatalogTransport } from "./transport.ts";

export function createRestTransport(settings: ClientSettings): CatalogTransport {
  const ask = createRestRequest(settings);
  return {
    kind: "rest",
    async list(input, options) {
      const query = { ...filter(input), limit: input.limit, cursor: input.cursor };
      const answer = await ask({ method: "GET", path: "/relays", query, asked: "read" }, options);
      return readRecordList(answer.body);
    },
    async get({ id }, options) {
      const answer = await ask({ method: "GET", path: relay(id), asked: "read" }, options);
      return readRelay(answer.body);
    },
    async tools({ id }, options) {
      const answer = await ask({ method: "GET", path: `${relay(id)}/tools`, asked: "read" }, options);
      return readTools(answer.body, id);
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
    async close() {},
  };
}

function relay(id: string): string {
  return `/relays/${encodeURIComponent(id)}`;
}

function filter(input: ListRelaysInput | FindToolsInput): Record<string, string | undefined> {
  return {
    q: input.q,
    tag: input.tag,
    online: flag(input.online),
    verified: flag(input.verified),
    auth: input.auth,
  };
}

function flag(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? "1" : "0";
}
