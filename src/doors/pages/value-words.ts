/** A JSON value in few characters, read no further than they go: a relay may give a megabyte as a default. Pure. */
import { isJsonObject, type JsonValue } from "../../spec/index.ts";
import { MAX_VALUE } from "./limits.ts";
import { cut } from "./markup.ts";

/** As JSON has it, with an ellipsis where it was cut. */
export function valueWords(value: JsonValue): string {
  return cut(begun(value, MAX_VALUE + 1), MAX_VALUE);
}

/** At least the first `room` characters, and not many more. */
function begun(value: JsonValue, room: number): string {
  if (room <= 0) return "…";
  if (typeof value === "string") return JSON.stringify(value.length > room ? value.slice(0, room) : value);
  if (Array.isArray(value)) {
    return `[${joined(value, { room, each: (item, left) => begun(item, left - 1) })}]`;
  }
  if (isJsonObject(value)) {
    return `{${joined(entriesOf(value), { room, each: ([name, member], left) => `${begun(name, left - 1)}:${begun(member, left - 1)}` })}}`;
  }
  return JSON.stringify(value);
}

function* entriesOf(value: { readonly [key: string]: JsonValue }): Generator<readonly [string, JsonValue]> {
  for (const name in value) yield [name, value[name] as JsonValue];
}

function joined<T>(
  items: Iterable<T>,
  { room, each }: { readonly room: number; readonly each: (item: T, left: number) => string },
): string {
  let text = "";
  for (const item of items) {
    if (text.length > room) break;
    text += `${text === "" ? "" : ","}${each(item, room - text.length)}`;
  }
  return text;
}
