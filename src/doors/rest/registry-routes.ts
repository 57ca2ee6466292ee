/**
 * The routes of the official registry's API, v0.1, over this catalog's relays (discovery.md "The official registry"). Its answers have
 * no `ok`: they are read by that registry's clients.
 */
import { operations } from "../../catalog/index.ts";
import { type Route, route } from "./route.ts";

export const registryRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/v0.1/servers",
    operation: operations.registryServers,
    takes: "query",
    answers: { 200: "A page of servers." },
    fails: ["invalid-input"],
    shape: { bare: "output" },
  }),
  route({
    method: "GET",
    path: "/v0.1/servers/:name/versions",
    operation: operations.registryVersions,
    takes: "nothing",
    answers: { 200: "Its one version." },
    fails: ["invalid-input", "not-found"],
    shape: { bare: "output" },
  }),
  route({
    method: "GET",
    path: "/v0.1/servers/:name/versions/:version",
    operation: operations.registryVersion,
    takes: "nothing",
    answers: { 200: "The server." },
    fails: ["invalid-input", "not-found"],
    shape: { bare: "output" },
  }),
];
