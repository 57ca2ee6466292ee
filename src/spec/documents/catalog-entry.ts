/** One entry of a catalog of either kind, judged by the rules of its own and brought into the one form. */
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { CARD_NAME } from "./card-shape.ts";
import type { CatalogDialect, CatalogEntry } from "./catalog-document.ts";
import { type Findings, quoted } from "./findings.ts";
import { MCP_IDENTIFIER_PREFIX } from "./identifiers.ts";
import { urlFaults } from "./lint-url.ts";
import { entryKind, mediaTypeEssence, registeredTypes } from "./media-type.ts";
import { SERVER_CARD_TYPE } from "./server-card.ts";
import { own } from "./shape.ts";
import { isUri } from "./uri.ts";

export interface EntryContext {
  readonly findings: Findings;
  readonly pointer: string;
  readonly index: number;
  readonly dialect: CatalogDialect;
  /** Major.Minor, or `draft`. */
  readonly specVersion: string;
  /** The document's own URL, after redirects. */
  readonly base: string | undefined;
  /** The document itself is on a private network. */
  readonly local: boolean;
}

/** Null: nothing can be done with it, and why was told. */
export function readCatalogEntry(value: JsonValue, context: EntryContext): CatalogEntry | null {
  const { findings, pointer, index } = context;
  if (!isJsonObject(value)) {
    findings.add(value === null ? "null-value" : "wrong-type", pointer, "an entry is an object");
    return null;
  }
  const identifier = readIdentifier(value, context);
  const mediaType = readMediaType(value, context);
  const place = readPlace(value, context);
  const text = (name: string): string | null => readText(value, name, context);
  const displayName = text("displayName");
  if (displayName === null && context.dialect === "mcp-catalog" && own(value, "displayName") === undefined) {
    findings.add("missing-member", pointer, '"displayName" is missing');
  }
  if (identifier === null || mediaType === null || place === null) return null;
  const { kind, type } = mediaType;
  if (place.data !== null && kind !== "other" && !isJsonObject(place.data)) {
    findings.add("wrong-type", `${pointer}/data`, "a document is an object");
    return null;
  }
  return {
    index,
    identifier,
    kind,
    type,
    url: place.url,
    data: isJsonObject(place.data) ? place.data : null,
    displayName,
    description: text("description"),
    version: text("version"),
    updatedAt: text("updatedAt"),
    tags: readTags(value, context),
    published: value,
  };
}

function readIdentifier(entry: JsonObject, { findings, pointer, dialect }: EntryContext): string | null {
  const identifier = required(entry, "identifier", { findings, pointer });
  if (identifier === null) return null;
  const place = `${pointer}/identifier`;
  if (dialect === "mcp-catalog") {
    const name = identifier.startsWith(MCP_IDENTIFIER_PREFIX)
      ? identifier.slice(MCP_IDENTIFIER_PREFIX.length)
      : "";
    if (!CARD_NAME.test(name)) {
      findings.add(
        "identifier-form",
        place,
        `${quoted(identifier)} is not ${MCP_IDENTIFIER_PREFIX} and a card's name`,
      );
    }
  } else if (!isUri(identifier)) {
    findings.add("identifier-not-uri", place, `${quoted(identifier)} is no URI`);
  }
  return identifier;
}

/** `type` or `mediaType`, whichever is a text; the one of the catalog's own version first. */
function readMediaType(
  entry: JsonObject,
  { findings, pointer, dialect, specVersion }: EntryContext,
): Pick<CatalogEntry, "kind" | "type"> | null {
  const isDraft = dialect === "mcp-catalog";
  // Versions before 1.0 had it under either name.
  const either = !isDraft && specVersion.startsWith("0.");
  const [name, other] = isDraft ? ["mediaType", "type"] : ["type", "mediaType"];
  const named = own(entry, name);
  const otherwise = own(entry, other);
  const usesOther = typeof named !== "string" && typeof otherwise === "string";
  if (usesOther && !either) {
    findings.add(
      "media-type-member",
      `${pointer}/${other}`,
      `the media type is in "${other}", and not in "${name}"`,
    );
  } else if (!usesOther && typeof named !== "string") {
    required(entry, name, { findings, pointer });
    return null;
  }
  const mediaType = usesOther ? otherwise : (named as string);
  const place = `${pointer}/${usesOther ? other : name}`;
  const essence = mediaTypeEssence(mediaType);
  if (essence === null) {
    findings.add("wrong-format", place, `${quoted(mediaType)} is no media type`);
    return null;
  }
  const kind = entryKind(mediaType);
  if (isDraft && essence !== SERVER_CARD_TYPE) {
    findings.add("unknown-value", place, `${quoted(mediaType)}, where ${SERVER_CARD_TYPE} is expected`);
  } else if (kind === "other") {
    findings.add("media-type-unknown", place, `${quoted(mediaType)} is not MCP's`);
  } else if (essence !== registeredTypes[kind]) {
    findings.add("media-type-spelling", place, `${quoted(mediaType)} is read as ${registeredTypes[kind]}`);
  }
  return { kind, type: essence };
}

/** Where the document is: exactly one of `url` and `data`. A null is told of, and is as good as nothing. */
function readPlace(
  entry: JsonObject,
  { findings, pointer, base, local }: EntryContext,
): { readonly url: string | null; readonly data: JsonValue } | null {
  for (const name of ["url", "data"]) {
    if (own(entry, name) === null) findings.add("null-value", `${pointer}/${name}`, `"${name}" is null`);
  }
  const url = own(entry, "url") ?? null;
  const data = own(entry, "data") ?? null;
  if (url !== null && data !== null) {
    findings.add("url-and-data", pointer, "the entry has both url and data");
    return null;
  }
  if (data !== null) return { url: null, data };
  if (url === null) {
    findings.add("url-or-data-missing", pointer, "the entry has neither url nor data");
    return null;
  }
  if (typeof url !== "string") {
    findings.add("wrong-type", `${pointer}/url`, "a text is expected here");
    return null;
  }
  const place = `${pointer}/url`;
  if (base === undefined && !URL.canParse(url)) {
    const isRelative = url.trim() !== "" && !/^[a-z][a-z0-9+.-]*:/i.test(url);
    findings.add(isRelative ? "relative-url" : "wrong-format", place, `${quoted(url)} is no absolute URL`);
    return null;
  }
  if (url.trim() === "" || !URL.canParse(url, base)) {
    findings.add("wrong-format", place, `${quoted(url)} is no URL`);
    return null;
  }
  const absolute = new URL(url, base);
  if (absolute.protocol !== "http:" && absolute.protocol !== "https:") {
    findings.add(
      "unsafe-url",
      place,
      `a URL of scheme ${quoted(absolute.protocol.slice(0, -1))}, where https is expected`,
    );
    return null;
  }
  const faults = urlFaults(absolute.href, { local });
  for (const { code, message } of faults) findings.add(code, place, message);
  // Whoever follows it would send the credential on for everybody.
  if (faults.some(({ code }) => code === "credential-in-url")) return null;
  return { url: absolute.href, data: null };
}

function readText(entry: JsonObject, name: string, { findings, pointer }: EntryContext): string | null {
  const value = own(entry, name);
  if (value === undefined || typeof value === "string") return value ?? null;
  findings.add(value === null ? "null-value" : "wrong-type", `${pointer}/${name}`, "a text is expected here");
  return null;
}

function readTags(entry: JsonObject, { findings, pointer }: EntryContext): readonly string[] {
  const tags = own(entry, "tags");
  if (tags === undefined) return [];
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== "string")) {
    findings.add("wrong-type", `${pointer}/tags`, "an array of texts is expected here");
  }
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
}

function required(
  entry: JsonObject,
  name: string,
  { findings, pointer }: { readonly findings: Findings; readonly pointer: string },
): string | null {
  const value = own(entry, name);
  if (typeof value === "string" && value.trim() !== "") return value;
  const place = `${pointer}/${name}`;
  if (value === undefined) findings.add("missing-member", pointer, `${quoted(name)} is missing`);
  else if (value === null) findings.add("null-value", place, `"${name}" is null`);
  else if (typeof value === "string") findings.add("too-short", place, "the text is empty");
  else findings.add("wrong-type", place, "a text is expected here");
  return null;
}
