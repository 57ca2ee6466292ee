/**
 * The names under which tools stand in a document: an operationId that generators make an identifier of, and a path segment that
 * leads to this tool and no other. Both are unique, and neither depends on the order of the tools. Pure.
 */
import { OpenMcpError } from "../spec/index.ts";
import { MAX_OPERATION_ID_CHARS } from "./limits.ts";

export interface OperationName {
  readonly operationId: string;
  /** Percent-encoded. */
  readonly segment: string;
}

/** What an operationId may be; a `/` in one breaks generated types. */
const PLAIN_NAME = new RegExp(`^[A-Za-z0-9._-]{1,${MAX_OPERATION_ID_CHARS}}$`);

/** @throws OpenMcpError `invalid-input` when a name comes twice. */
export function nameOperations(names: readonly string[]): OperationName[] {
  const given = new Set<string>();
  const bare = new Map<string, number>();
  for (const name of names) {
    if (given.has(name)) {
      throw new OpenMcpError("invalid-input", `two tools are named ${JSON.stringify(name.slice(0, 100))}`, {
        data: { field: "tools", name },
      });
    }
    given.add(name);
    bare.set(sanitised(name), (bare.get(sanitised(name)) ?? 0) + 1);
  }
  const used = new Set(names.filter((name) => PLAIN_NAME.test(name)));
  return names.map((name) => {
    if (PLAIN_NAME.test(name)) return { operationId: name, segment: pathSegment(name) };
    const short = sanitised(name);
    let operationId = bare.get(short) === 1 ? short : withHash(short, name);
    for (let count = 2; used.has(operationId); count += 1) operationId = withHash(short, `${name}#${count}`);
    used.add(operationId);
    // A lone surrogate has no UTF-8, and readers fail on what is not: such a tool has no path that is its name.
    return { operationId, segment: name.isWellFormed() ? pathSegment(name) : operationId };
  });
}

function sanitised(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, "_").slice(0, MAX_OPERATION_ID_CHARS) || "tool";
}

function withHash(short: string, name: string): string {
  const suffix = `_${fnv1a(name)}`;
  return `${short.slice(0, MAX_OPERATION_ID_CHARS - suffix.length)}${suffix}`;
}

/** FNV-1a, 32 bits, over UTF-16 units: to tell a few like-named tools apart, the same way every time. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** `.`, `..`, and what percent-decoding makes of them, at whatever depth: all of these are one family of spellings. */
const DOTS = /^\.{1,2}$|^(?:%(?:25)*2e){1,2}$/i;

/**
 * A tool's name as the last segment of a path. `.` and `..` are dot segments even when they are encoded (WHATWG URL), so they are
 * encoded twice, and what already looks like that once more than usual; `toolOfSegment` takes it off.
 */
function pathSegment(name: string): string {
  return encodeURIComponent(DOTS.test(name) ? name.replaceAll("%", "%25").replaceAll(".", "%2E") : name);
}

/** The tool's name of a segment that a router has percent-decoded once. */
export function toolOfSegment(segment: string): string {
  return segment.startsWith("%") && DOTS.test(segment) ? decodeURIComponent(segment) : segment;
}
