/**
 * The descriptor a relay serves at `/.well-known/openmcp.json` (OpenMCP 0.1 "The descriptor").
 * Kept as served, unknown keys included; a wrong-typed optional key stays in the document and is ignored in every use.
 * Reading a document is `parseDescriptor`; using one is `describe`. Neither fetches.
 */
import { isJsonObject, type JsonObject } from "./json.ts";
import { nestsDeeper } from "./json-depth.ts";
import { MAX_JSON_DEPTH } from "./limits.ts";

export const DESCRIPTOR_PATH = "/.well-known/openmcp.json";

/** The version of OpenMCP that is spoken here, and that a descriptor without `openmcp` follows. */
export const SPEC_VERSION = "0.1";

/** The value of `catalog` by which an owner keeps a relay out of catalogs. A catalog's own descriptor has an object there. */
const NO_INDEX = "no-index";

export const authKinds = ["none", "bearer", "oauth", "api-key"] as const;

export type AuthKind = (typeof authKinds)[number];

/** As served. Only `mcp` is known to be a string that resolves to an http or https URL. */
export type Descriptor = JsonObject & { readonly mcp: string };

/** What may be said of a relay from its descriptor: every value of its right type, absence as null or an empty list. */
export interface DescriptorFacts {
  /** The version of OpenMCP it follows; the current one when unstated. */
  readonly version: string;
  readonly name: string | null;
  readonly description: string | null;
  /** The site behind the relay; http(s) only. */
  readonly url: string | null;
  /** `unknown` when unstated. */
  readonly auth: AuthKind | "unknown";
  /** Where a person gets a credential; http(s) only. */
  readonly authUrl: string | null;
  /** Tools that work without a credential. */
  readonly openTools: readonly string[];
  /** Lower-cased, trimmed, without doubles. */
  readonly tags: readonly string[];
  readonly operator: string | null;
  readonly webhooks: string | null;
  readonly tools: readonly string[];
  /** Absolute URLs, http(s) only, without doubles. */
  readonly catalogs: readonly string[];
  /** False when its owner asks catalogs not to list it: `"catalog": "no-index"`. */
  readonly mayBeListed: boolean;
}

export type DescriptorReading =
  | { readonly ok: true; readonly descriptor: Descriptor; readonly endpoint: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a served document. `url` is the URL that answered, after redirects: a relative `mcp` resolves on it.
 * `problem` is a sentence that names the field and the cure.
 */
export function parseDescriptor(text: string, url: string): DescriptorReading {
  if (nestsDeeper(text, MAX_JSON_DEPTH)) {
    return { ok: false, problem: `the document is nested deeper than ${MAX_JSON_DEPTH} levels` };
  }
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return {
      ok: false,
      problem: /^\s*</.test(text) ? "the answer is HTML, not JSON" : "the answer is not JSON",
    };
  }
  if (!isJsonObject(document)) return { ok: false, problem: "the document is not a JSON object" };
  const mcp = document.mcp;
  if (mcp === undefined) return { ok: false, problem: '"mcp" is missing: name the MCP endpoint in it' };
  if (typeof mcp !== "string" || mcp.trim() === "")
    return { ok: false, problem: '"mcp" is not a URL string' };
  const endpoint = httpUrl(mcp, url);
  if (endpoint === null) return { ok: false, problem: '"mcp" is not an http or https URL' };
  // A catalog keeps no credential, and would show this one to everybody.
  if (hasCredentials(endpoint))
    return { ok: false, problem: '"mcp" carries a credential: take it out of the URL' };
  return { ok: true, descriptor: document as Descriptor, endpoint };
}

/** The descriptor of a relay that serves none: the endpoint, and nothing that nobody said. */
export function bareDescriptor(endpoint: string): Descriptor {
  return { mcp: endpoint };
}

/** The usable facts of a descriptor. `base` resolves relative URLs. */
export function describe(descriptor: Descriptor, base: string): DescriptorFacts {
  const auth = isJsonObject(descriptor.auth) ? descriptor.auth : {};
  const kind = auth.kind;
  return {
    version: text(descriptor.openmcp) ?? SPEC_VERSION,
    name: text(descriptor.name),
    description: text(descriptor.description),
    url: httpUrl(descriptor.url, base),
    auth: authKinds.find((known) => known === kind) ?? "unknown",
    authUrl: httpUrl(auth.url, base),
    openTools: texts(auth.open),
    tags: [
      ...new Set(
        texts(descriptor.tags)
          .map(normaliseTag)
          .filter((tag) => tag !== ""),
      ),
    ],
    operator: httpUrl(descriptor.operator, base),
    webhooks: httpUrl(descriptor.webhooks, base),
    tools: [...new Set(texts(descriptor.tools))],
    catalogs: [
      ...new Set(
        texts(descriptor.catalogs)
          .map((entry) => httpUrl(entry, base))
          .filter((entry) => entry !== null),
      ),
    ],
    mayBeListed: text(descriptor.catalog)?.trim().toLowerCase() !== NO_INDEX,
  };
}

/** The form in which tags are compared. */
export function normaliseTag(tag: string): string {
  return tag.trim().toLowerCase();
}

function text(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function texts(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === "string" && item !== "")
    : [];
}

function httpUrl(value: unknown, base: string): string | null {
  if (typeof value !== "string" || value.trim() === "") return null;
  if (!URL.canParse(value, base)) return null;
  const url = new URL(value, base);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
}

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}
