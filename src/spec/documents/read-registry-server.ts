/** Reads server.json of the official registry, and a page of its list, in the shape of today and the one of 2025. */
import type { JsonValue } from "../json.ts";
import type { Reading } from "./diagnostic.ts";
import type { RegistryEntry, RegistryPage } from "./registry-server.ts";

/** One entry: a bare server.json, or `{server, _meta}` as the API lists it. */
export function readRegistryServer(document: string | JsonValue): Reading<RegistryEntry> {
  throw new Error(`not yet: ${typeof document}`);
}

/** A page of `GET /v0.1/servers`, or a seed file, which is a bare list; good entries are kept. */
export function readRegistryPage(document: string | JsonValue): Reading<RegistryPage> {
  throw new Error(`not yet: ${typeof document}`);
}
