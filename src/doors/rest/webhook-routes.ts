/** The routes of subscriptions: a part of the table in routes.ts. */
import { operations } from "../../catalog/index.ts";
import { type Route, route } from "./route.ts";

export const webhookRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/v1/webhooks",
    operation: operations.subscribe,
    takes: "json",
    encode: (answer, { identity }) => ({
      status: 201,
      headers: { location: `${identity.url}/v1/webhooks/${encodeURIComponent(answer.webhook.id)}` },
      body: answer,
    }),
    answers: { 201: "It is subscribed. The secret is shown this once." },
    fails: ["invalid-input", "unsupported-media-type", "too-large"],
  }),
  route({
    method: "GET",
    path: "/v1/webhooks/:id",
    operation: operations.webhook,
    takes: "nothing",
    answers: { 200: "The subscription and its last deliveries." },
    fails: ["not-found"],
  }),
  route({
    method: "DELETE",
    path: "/v1/webhooks/:id",
    operation: operations.unsubscribe,
    takes: "nothing",
    encode: () => ({ body: {} }),
    answers: { 200: "It is removed, and nothing more is delivered." },
    fails: ["not-found"],
    shape: { omit: ["removed"] },
  }),
  route({
    method: "POST",
    path: "/v1/webhooks/:id/test",
    operation: operations.testWebhook,
    takes: "nothing",
    encode: (answer) => ({ status: 202, body: answer }),
    answers: { 202: "A test delivery is on its way." },
    fails: ["not-found"],
  }),
  route({
    method: "POST",
    path: "/v1/webhooks/:id/deliveries/:delivery/redeliver",
    operation: operations.redeliver,
    takes: "nothing",
    encode: (answer) => ({ status: 202, body: answer }),
    answers: { 202: "The delivery is on its way once more." },
    fails: ["not-found"],
  }),
];
