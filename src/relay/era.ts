/**
 * What one answer says about the era a relay speaks (probe.md, "Two eras"): pure rules, one for each question.
 * 401 and 403 say nothing; neither does a result that fits no question, since some servers answer anything with `{}`.
 */
import { isJsonObject } from "../spec/index.ts";
import type { RpcError } from "./answer.ts";
import { isModernVersion, LEGACY_VERSIONS, MODERN_VERSION, pickModernVersion, rpcCode } from "./protocol.ts";
import type { Exchanged } from "./step.ts";

/** `modern`: speak `version`. `again`: ask once more in `version`. `unknown`: no evidence of the modern era. */
export interface EraReading {
  readonly era: "modern" | "again" | "unknown";
  readonly version: string;
}

const unknown: EraReading = { era: "unknown", version: MODERN_VERSION };

/** Reads the answer to `server/discover` asked in `version`. */
export function readDiscover({ answer }: Exchanged, version: string): EraReading {
  if (answer.kind === "error") return readModernError(answer.error, version);
  if (answer.kind !== "result") return unknown;
  const { supportedVersions, capabilities } = answer.result;
  if (Array.isArray(supportedVersions)) {
    const picked = pickModernVersion(texts(supportedVersions));
    return picked === null ? unknown : { era: "modern", version: picked };
  }
  return isJsonObject(capabilities) ? { era: "modern", version } : unknown;
}

/** Reads an error as evidence of the modern era, whatever was asked: only such servers know these codes. */
export function readModernError(error: RpcError, version: string): EraReading {
  switch (error.code) {
    case rpcCode.headerMismatch:
    case rpcCode.missingClientCapability:
      return { era: "modern", version };
    case rpcCode.unsupportedProtocolVersion: {
      const picked = pickModernVersion(supportedVersions(error));
      return picked === null ? unknown : { era: "again", version: picked };
    }
    default:
      return unknown;
  }
}

/**
 * The legacy revisions to offer after an `initialize` that was refused over its version, best first; none when the
 * refusal was about something else. Servers should answer with a version of their own, and some refuse instead.
 */
export function otherLegacyVersions(error: RpcError): readonly string[] {
  const named = supportedVersions(error).filter((version) => !isModernVersion(version));
  if (named.length > 0) {
    const known = LEGACY_VERSIONS.filter((version) => named.includes(version));
    return known.length > 0 ? known.slice(0, 1) : named.sort().slice(-1);
  }
  return /protocol[\s_-]?version|unsupported version/i.test(error.message) ? LEGACY_VERSIONS.slice(1) : [];
}

function supportedVersions(error: RpcError): string[] {
  if (!isJsonObject(error.data)) return [];
  const supported = error.data.supported ?? error.data.supportedVersions;
  return Array.isArray(supported) ? texts(supported) : [];
}

function texts(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === "string");
}
