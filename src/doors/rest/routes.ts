/** The REST routes of wire.md's table, in the order of that table. Nothing here reads a request. */
import { operations } from "../../catalog/index.ts";
import { memberText, OpenMcpError, RawJson, SERVER_CARD_TYPE } from "../../spec/index.ts";
import { BADGE_MAX_AGE_SECONDS, BADGE_TYPE, badge } from "./badge.ts";
import { importRoutes } from "./import-routes.ts";
import { openapiRoute } from "./openapi-route.ts";
import { registryRoutes } from "./registry-routes.ts";
import { type Route, route } from "./route.ts";
import { webhookRoutes } from "./webhook-routes.ts";

const CALL_FAILURES = [
  "invalid-input",
  "not-found",
  "unsupported-media-type",
  "too-large",
  "relay-error",
  "relay-refused",
  "relay-unreachable",
  "relay-timeout",
] as const;

export const routes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v1/relays",
    operation: operations.list,
    takes: "query",
    answers: { 200: "A page of records." },
    fails: ["invalid-input"],
  }),
  route({
    method: "POST",
    path: "/v1/relays",
    operation: operations.register,
    takes: "json",
    encode: ({ created, ...answer }, { identity }) => ({
      status: created ? 201 : 200,
      ...(created
        ? { headers: { location: `${identity.url}/v1/relays/${encodeURIComponent(answer.relay.id)}` } }
        : {}),
      body: answer,
    }),
    answers: {
      201: "It was listed for the first time.",
      200: "It was listed already, and was looked at again.",
    },
    fails: ["invalid-input", "unsupported-media-type", "too-large", "not-listed", "conflict"],
    shape: { omit: ["created"] },
  }),
  route({
    method: "POST",
    path: "/v1/relays/bulk",
    operation: operations.bulk,
    takes: "urls",
    encode: (answer, { identity }) => {
      const poll = `${identity.url}/v1/relays/bulk/${encodeURIComponent(answer.job)}`;
      return { status: 202, headers: { location: poll }, body: { ...answer, poll } };
    },
    answers: { 202: "The job was taken; poll it." },
    fails: ["invalid-input", "unsupported-media-type", "too-large"],
    shape: {
      add: { poll: { type: "string", format: "uri", description: "Where to ask how far it has come." } },
    },
  }),
  route({
    method: "GET",
    path: "/v1/relays/bulk/:job",
    operation: operations.bulkJob,
    takes: "nothing",
    answers: { 200: "The job." },
    fails: ["not-found"],
  }),
  route({
    method: "GET",
    path: "/v1/relays/:id",
    operation: operations.get,
    takes: "nothing",
    answers: { 200: "The record." },
    fails: ["not-found"],
  }),
  route({
    method: "DELETE",
    path: "/v1/relays/:id",
    operation: operations.remove,
    takes: "nothing",
    answers: { 200: "It was removed." },
    fails: ["unauthorized", "not-found"],
  }),
  route({
    method: "GET",
    path: "/v1/relays/:id/tools",
    operation: operations.tools,
    takes: "nothing",
    answers: { 200: "The tools, as the relay lists them." },
    fails: ["not-found"],
  }),
  openapiRoute,
  route({
    method: "GET",
    path: "/v1/relays/:id/history",
    operation: operations.history,
    takes: "nothing",
    answers: { 200: "What it was found to be, and when." },
    fails: ["not-found"],
  }),
  route({
    method: "GET",
    path: "/v1/relays/:id/claims",
    operation: operations.claims,
    takes: "nothing",
    answers: { 200: "The names, by who lists it." },
    fails: ["not-found"],
  }),
  route({
    method: "GET",
    path: "/v1/relays/:id/badge.svg",
    operation: operations.standing,
    takes: "nothing",
    encode: (answer) => ({
      status: answer.standing === null ? 404 : 200,
      type: BADGE_TYPE,
      headers: { "content-security-policy": "default-src 'none'; sandbox" },
      cacheControl: `public, max-age=${BADGE_MAX_AGE_SECONDS}`,
      body: badge(answer),
    }),
    answers: { 200: "The badge.", 404: "The badge of a relay that is not listed." },
    fails: ["invalid-input"],
    shape: { type: "image/svg+xml" },
  }),
  route({
    method: "GET",
    path: "/v1/relays/:id/server-card",
    operation: operations.serverCard,
    takes: "nothing",
    publishes: SERVER_CARD_TYPE,
    answers: { 200: "The card." },
    fails: ["not-found"],
    shape: { bare: "output" },
  }),
  route({
    method: "POST",
    path: "/v1/relays/:id/refresh",
    operation: operations.refresh,
    takes: "nothing",
    answers: { 200: "The record as it is now." },
    fails: ["not-found", "not-listed", "conflict"],
  }),
  route({
    method: "POST",
    path: "/v1/relays/:id/call",
    operation: operations.call,
    takes: "json",
    rename: { id: "relay" },
    relayCredential: true,
    encode: ({ relay, tool, result, parsed }) => ({
      body: { ok: parsed.isError !== true, relay, tool, result },
    }),
    answers: {
      200: "The relay's own result, every key and digit of it. `ok` is false when the tool reported an error. With `resultType` `input_required` the relay wants more first: call again with `inputResponses` and `requestState`.",
    },
    fails: CALL_FAILURES,
    shape: { okMayBeFalse: true },
  }),
  route({
    method: "POST",
    path: "/v1/relays/:id/tools/:tool",
    operation: operations.call,
    takes: "arguments",
    rename: { id: "relay" },
    relayCredential: true,
    encode: ({ relay, tool, result, parsed, declaresOutput }) => {
      if (parsed.isError === true) {
        throw new OpenMcpError("tool-error", `the tool answered an error; "result" has its words`, {
          data: { relay, tool, result },
        });
      }
      const structured = declaresOutput === false ? undefined : memberText(result.text, "structuredContent");
      return { body: structured === undefined ? result : new RawJson(structured) };
    },
    answers: {
      200: "The tool's structured content, bare; the whole result where the tool declares no output schema, and where it asks for more input.",
    },
    fails: [...CALL_FAILURES, "tool-error"],
    shape: { bare: {} },
  }),
  route({
    method: "GET",
    path: "/v1/tools",
    operation: operations.find,
    takes: "query",
    answers: { 200: "The tools that match, best first." },
    fails: ["invalid-input"],
  }),
  ...webhookRoutes,
  route({
    method: "GET",
    path: "/v1/changes",
    operation: operations.changes,
    takes: "query",
    answers: { 200: "Changes, in the order of their commit." },
    fails: ["invalid-input", "gone"],
  }),
  route({
    method: "GET",
    path: "/v1/peers",
    operation: operations.peers,
    takes: "nothing",
    answers: { 200: "The peers, in the order of adding." },
    fails: [],
  }),
  route({
    method: "POST",
    path: "/v1/peers",
    operation: operations.addPeer,
    takes: "json",
    encode: (answer) => ({ status: 201, body: answer }),
    answers: {
      201: "It is a peer now, or was one already. Its relays come with the next sync, in the background: see `syncedAt`.",
    },
    fails: ["unauthorized", "invalid-input", "unsupported-media-type", "too-large", "blocked"],
  }),
  route({
    method: "DELETE",
    path: "/v1/peers",
    operation: operations.removePeer,
    takes: "query",
    answers: { 200: "It is no peer any more." },
    fails: ["unauthorized", "invalid-input", "not-found"],
  }),
  route({
    method: "POST",
    path: "/v1/peers/sync",
    operation: operations.syncPeers,
    takes: "nothing",
    answers: { 200: "Every peer was asked; what each did is in its `lastError`." },
    fails: ["unauthorized"],
  }),
  ...importRoutes,
  ...registryRoutes,
];
