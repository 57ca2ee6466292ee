/** Reads server.json of the official registry, and a page of its list, in the shape of today and the one of 2025. */
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { MAX_REGISTRY_ENTRIES } from "../limits.ts";
import { learnedFrom } from "../listing-mark.ts";
import { identityMembers } from "./card-shape.ts";
import type { Reading } from "./diagnostic.ts";
import type { Findings } from "./findings.ts";
import { registryCard } from "./legacy-card.ts";
import { lintIdentity } from "./lint-server-card.ts";
import { openDocument } from "./open-document.ts";
import {
  REGISTRY_META_KEY,
  type RegistryEntry,
  type RegistryPage,
  type RegistryServer,
  type RegistryStanding,
} from "./registry-server.ts";
import { check, list, map, object, own, text } from "./shape.ts";
import { tidyIdentity } from "./tidy-identity.ts";
import { identityOf } from "./validate-server-card.ts";

/** One entry: a bare server.json, or `{server, _meta}` as the API lists it. */
export function readRegistryServer(document: string | JsonValue): Reading<RegistryEntry> {
  const { value, findings } = openDocument(document);
  const entry = value === undefined ? null : readEntry(value, { findings, pointer: "" });
  return {
    conformant: findings.conformant,
    usable: entry !== null,
    value: entry,
    diagnostics: findings.list,
  };
}

/** A page of `GET /v0.1/servers`, or a seed file, which is a bare list; good entries are kept. */
export function readRegistryPage(document: string | JsonValue): Reading<RegistryPage> {
  const { value, findings } = openDocument(document);
  const page = value === undefined ? null : readPage(value, findings);
  return { conformant: findings.conformant, usable: page !== null, value: page, diagnostics: findings.list };
}

function readPage(value: JsonValue, findings: Findings): RegistryPage | null {
  const isList = Array.isArray(value);
  const entries = isList ? (value as readonly JsonValue[]) : own(value, "servers");
  if (!Array.isArray(entries)) {
    findings.add("missing-member", "", '"servers" is missing, or no array');
    return null;
  }
  const pointer = isList ? "" : "/servers";
  if (entries.length > MAX_REGISTRY_ENTRIES) {
    findings.add("entries-cut", pointer, `${entries.length - MAX_REGISTRY_ENTRIES} entries are not read`);
  }
  const read: RegistryEntry[] = [];
  for (const [index, entry] of entries.slice(0, MAX_REGISTRY_ENTRIES).entries()) {
    const place = `${pointer}/${index}`;
    const kept = readEntry(entry as JsonValue, { findings, pointer: place });
    if (kept === null) findings.add("entry-dropped", place, "the entry is left out");
    else read.push(kept);
  }
  const metadata = own(value, "metadata") ?? null;
  const cursor = own(metadata, "nextCursor") ?? own(metadata, "next_cursor");
  return {
    entries: read,
    nextCursor: typeof cursor === "string" && cursor !== "" ? cursor : null,
    total: entries.length,
  };
}

const serverShape = object(["name", "description", "version"], {
  $schema: text({ schemes: ["https", "http"] }),
  ...identityMembers,
  packages: list(map(null)),
});

function readEntry(
  value: JsonValue,
  { findings, pointer }: { readonly findings: Findings; readonly pointer: string },
): RegistryEntry | null {
  if (!isJsonObject(value)) {
    findings.add("wrong-type", pointer, "an object is expected here");
    return null;
  }
  const inner = own(value, "server");
  const isWrapped = isJsonObject(inner);
  const server = isWrapped ? inner : value;
  const place = isWrapped ? `${pointer}/server` : pointer;
  const isOld = isOldShape(server);
  if (isOld) findings.add("legacy-shape", place, "the entry has the registry's shape of 2025");
  else check(serverShape, server, { pointer: place, findings });
  const current = registryCard(isOld ? server : withoutPackages(server));
  lintIdentity(identityOf(current), { findings, pointer: place });
  const packages = own(server, "packages");
  const tidied = tidyIdentity(current, { findings, pointer: place });
  if (tidied.name === "") return null;
  const schema = own(server, "$schema");
  const read: RegistryServer = {
    ...(typeof schema === "string" ? { $schema: schema } : {}),
    ...tidied,
    ...(Array.isArray(packages) ? { packages } : {}),
  } as RegistryServer;
  return {
    server: read,
    standing: standingOf(value, server),
    learnedFrom: learnedFrom(own(value, "_meta")) ?? learnedFrom(own(server, "_meta")),
    shape: isOld ? "old" : "current",
  };
}

function withoutPackages({ packages: _packages, ...rest }: JsonObject): JsonObject {
  return rest;
}

function isOldShape(server: JsonObject): boolean {
  if (Object.hasOwn(server, "version_detail")) return true;
  const remotes = own(server, "remotes");
  return (
    Array.isArray(remotes) && remotes.some((remote: JsonValue) => own(remote, "transport_type") !== undefined)
  );
}

/** What the registry says, in any of the places where it said it. */
function standingOf(entry: JsonObject, server: JsonObject): RegistryStanding {
  const meta = own(entry, "_meta") ?? null;
  const official =
    own(meta, REGISTRY_META_KEY) ??
    own(own(server, "_meta") ?? null, REGISTRY_META_KEY) ??
    own(entry, "x-io.modelcontextprotocol.registry") ??
    null;
  const detail = own(server, "version_detail") ?? null;
  const said = (camel: string, snake: string): JsonValue | undefined =>
    own(official, camel) ?? own(official, snake);
  const latest = said("isLatest", "is_latest") ?? own(detail, "is_latest");
  return {
    status: textOr(said("status", "status") ?? own(server, "status")),
    isLatest: typeof latest === "boolean" ? latest : null,
    publishedAt: textOr(said("publishedAt", "published_at") ?? own(detail, "release_date")),
    updatedAt: textOr(said("updatedAt", "updated_at")),
  };
}

function textOr(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
