/** The routes of imports: a part of the table in routes.ts. */
import { operations } from "../../catalog/index.ts";
import { type Route, route } from "./route.ts";

export const importRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/v1/import",
    operation: operations.importRelays,
    takes: "json",
    encode: (answer, { identity }) => {
      const poll = `${identity.url}/v1/import/${encodeURIComponent(answer.job)}`;
      return { status: 202, headers: { location: poll }, body: { ...answer, poll } };
    },
    answers: { 202: "The job was taken; poll it." },
    fails: ["unauthorized", "invalid-input", "unsupported-media-type", "too-large", "conflict"],
    shape: {
      add: { poll: { type: "string", format: "uri", description: "Where to ask how far it has come." } },
    },
  }),
  route({
    method: "GET",
    path: "/v1/import",
    operation: operations.imports,
    takes: "nothing",
    answers: { 200: "The imports, the newest first." },
    fails: ["unauthorized"],
  }),
  route({
    method: "GET",
    path: "/v1/import/:job",
    operation: operations.importJob,
    takes: "nothing",
    answers: { 200: "The job and its report." },
    fails: ["unauthorized", "not-found"],
  }),
  route({
    method: "DELETE",
    path: "/v1/import/:job",
    operation: operations.cancelImport,
    takes: "nothing",
    answers: { 200: "It was cancelled, or had ended already." },
    fails: ["unauthorized", "not-found"],
  }),
  route({
    method: "GET",
    path: "/v1/import/:job/results",
    operation: operations.importResults,
    takes: "query",
    answers: { 200: "A page of the URLs that it took." },
    fails: ["unauthorized", "invalid-input", "not-found"],
  }),
];
