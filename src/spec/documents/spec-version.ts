/** The `specVersion` of a catalog: which of the two it is, and whether this reader may read it (AI Catalog, "Version Handling"). */
import type { JsonValue } from "../json.ts";
import type { CatalogDialect } from "./catalog-document.ts";
import { type Findings, quoted } from "./findings.ts";

/** The highest major version that is understood. */
const MAX_MAJOR = 1;

/** What is taken for granted when nothing usable is said. */
const UNSAID = "1.0";

/** Null: the catalog must not be read. `looksLikeDraft`: what its entries look like, for when the version does not tell. */
export function readSpecVersion(
  given: JsonValue | undefined,
  { findings, looksLikeDraft }: { readonly findings: Findings; readonly looksLikeDraft: boolean },
): { readonly dialect: CatalogDialect; readonly specVersion: string } | null {
  const fallback = looksLikeDraft
    ? ({ dialect: "mcp-catalog", specVersion: "draft" } as const)
    : ({ dialect: "ai-catalog", specVersion: UNSAID } as const);
  if (given === undefined) {
    findings.add("missing-member", "", '"specVersion" is missing');
    return fallback;
  }
  if (typeof given !== "string" && typeof given !== "number") {
    findings.add(given === null ? "null-value" : "wrong-type", "/specVersion", "a text is expected here");
    return fallback;
  }
  if (typeof given === "number")
    findings.add("spec-version", "/specVersion", `the number ${given}, where a text is expected`);
  // JSON has no `1.0`: once parsed, the number is 1.
  const text = typeof given === "number" && Number.isInteger(given) ? `${given}.0` : String(given).trim();
  if (text.toLowerCase() === "draft") {
    if (given !== "draft")
      findings.add("spec-version", "/specVersion", `${quoted(text)}, where "draft" is expected`);
    return { dialect: "mcp-catalog", specVersion: "draft" };
  }
  const [, major, minor = "0"] =
    /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:[.\-+].*)?$/s.exec(text.slice(0, MAX_VERSION_CHARS)) ?? [];
  if (major === undefined) {
    findings.add("spec-version", "/specVersion", `${quoted(text)} is not of the form Major.Minor`);
    return fallback;
  }
  if (Number(major) > MAX_MAJOR) {
    findings.add(
      "spec-version-unsupported",
      "/specVersion",
      `version ${quoted(text)} is later than ${MAX_MAJOR}.x, which is what is understood here`,
    );
    return null;
  }
  if (typeof given === "string" && !/^\d+\.\d+$/.test(given)) {
    findings.add("spec-version", "/specVersion", `${quoted(given)} is not of the form Major.Minor`);
  }
  return { dialect: "ai-catalog", specVersion: `${Number(major)}.${Number(minor)}` };
}

const MAX_VERSION_CHARS = 40;
