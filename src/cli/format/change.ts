/**
 * One change in words: which relay, what happened, and of an update what exactly. Facts only: a changed tool is neither
 * called safe nor dangerous. All names and pointers are a relay's own text, and are made printable.
 */
import type { ChangeDetail, RelayChange, ToolDiff } from "../../spec/index.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { truncate } from "../terminal/text-width.ts";
import { count } from "./facts.ts";

/** Names or fields that are shown of a longer list. */
const SHOWN = 12;
/** Columns of one name. */
const NAME_COLUMNS = 60;

interface Face {
  readonly mark: string;
  readonly word: string;
  readonly paint: keyof Pick<Style, "good" | "bad" | "warn" | "accent" | "quiet">;
}

const faces: Readonly<Record<RelayChange["event"], Face>> = {
  "relay.registered": { mark: "+", word: "registered", paint: "accent" },
  "relay.updated": { mark: "~", word: "updated", paint: "warn" },
  "relay.online": { mark: "✓", word: "online", paint: "good" },
  "relay.offline": { mark: "✗", word: "offline", paint: "bad" },
  "relay.removed": { mark: "-", word: "removed", paint: "quiet" },
};

/** A line, and under it one for each thing that changed. No final newline. */
export function changeLines(change: RelayChange, style: Style): string {
  const { mark, word, paint } = faces[change.event];
  const id = style.strong(printableLine(change.relay.id));
  const reason = change.event === "relay.offline" ? reasonOf(change) : "";
  const head = `${style.quiet(timeOf(change.at))}  ${style[paint](`${mark} ${word.padEnd(10)}`)}  ${id}${reason}`;
  return [head, ...detailLines(change.detail, style).map((line) => `    ${line}`)].join("\n");
}

function reasonOf({ relay }: RelayChange): string {
  const why = "lastError" in relay ? relay.lastError : null;
  return typeof why === "string" ? `  ${printableLine(why)}` : "";
}

function detailLines(detail: ChangeDetail | undefined, style: Style): readonly string[] {
  if (detail === undefined) return [];
  const { tools, descriptor = [], verified, toolsFrom } = detail;
  return [
    ...(verified === undefined ? [] : [verified ? "is verified now" : "is not verified any more"]),
    ...(descriptor.length === 0 ? [] : [`descriptor changed: ${fieldList(descriptor)}`]),
    ...(toolsFrom === undefined ? [] : [sourceWords(toolsFrom)]),
    ...(tools === undefined ? [] : toolLines(tools, style)),
  ];
}

function sourceWords(from: ChangeDetail["toolsFrom"]): string {
  return from === "descriptor"
    ? "its tools are named by its descriptor now"
    : "its tools are described by the relay itself now";
}

/** What happened to a relay's tools, a line each. */
export function toolLines({ added, removed, changed, renamed }: ToolDiff, style: Style): readonly string[] {
  return [
    ...(added.length === 0
      ? []
      : [`${style.good("+")} ${count(added.length, "tool")} added: ${nameList(added)}`]),
    ...(removed.length === 0
      ? []
      : [`${style.bad("-")} ${count(removed.length, "tool")} removed: ${nameList(removed)}`]),
    ...some(
      renamed.map(({ from, to, fields }) => {
        const more = fields.length === 0 ? "" : `, and changed: ${fieldList(fields)}`;
        return `${style.accent("→")} ${nameOf(from)} is called ${nameOf(to)} now${more}`;
      }),
      "more renamed",
    ),
    ...some(
      changed.map(({ name, fields }) => `${style.warn("~")} ${nameOf(name)} changed: ${fieldList(fields)}`),
      "more tools changed",
    ),
  ];
}

/** `/inputSchema/properties/q` as `parameter q`, other pointers with dots. */
export function fieldWords(pointer: string): string {
  if (pointer === "") return "everything";
  const keys = pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const [first, second, name, ...rest] = keys;
  const words =
    first === "inputSchema" && second === "properties" && name !== undefined
      ? `parameter ${[name, ...rest].join(".")}`
      : keys.join(".");
  return truncate(printableLine(words), NAME_COLUMNS);
}

function fieldList(pointers: readonly string[]): string {
  return listed(pointers.map(fieldWords));
}

function nameList(names: readonly string[]): string {
  return listed(names.map(nameOf));
}

function nameOf(name: string): string {
  return truncate(printableLine(name), NAME_COLUMNS);
}

function listed(texts: readonly string[]): string {
  const more = texts.length - SHOWN;
  return more > 0 ? `${texts.slice(0, SHOWN).join(", ")} and ${more} more` : texts.join(", ");
}

function some(lines: readonly string[], what: string): readonly string[] {
  const more = lines.length - SHOWN;
  return more > 0 ? [...lines.slice(0, SHOWN), `and ${more} ${what}`] : lines;
}

/** The day and the time here, to the second; the text itself when it is none. */
export function timeOf(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return printableLine(iso);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
