/** A JSON document with one long list or map in it, written while it is read: nothing is held but the entry that is being written. */
import { printableJson } from "../terminal/printable.ts";

export interface JsonFrame {
  /** Members before the long one. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly key: string;
  /** `list`: entries are values; `map`: they are members of an object, by name. */
  readonly holds: "list" | "map";
  /** Members after it, asked for at its end. */
  readonly after?: () => Readonly<Record<string, unknown>>;
}

export interface JsonEntry {
  /** `map` only. */
  readonly name?: string;
  readonly value: unknown;
}

/** Indented by two, a line feed at the end. */
export async function* jsonStream(
  frame: JsonFrame,
  entries: AsyncIterable<JsonEntry>,
): AsyncGenerator<string> {
  const [open, close] = frame.holds === "list" ? ["[", "]"] : ["{", "}"];
  yield "{\n";
  for (const [name, value] of Object.entries(frame.before ?? {})) yield `${member(name, value, 2)},\n`;
  yield `  ${JSON.stringify(frame.key)}: ${open}`;
  let first = true;
  for await (const { name, value } of entries) {
    const text = name === undefined ? indented(value, 4) : member(name, value, 4);
    yield `${first ? "" : ","}\n${text}`;
    first = false;
  }
  yield first ? close : `\n  ${close}`;
  for (const [name, value] of Object.entries(frame.after?.() ?? {})) yield `,\n${member(name, value, 2)}`;
  yield "\n}\n";
}

function member(name: string, value: unknown, depth: number): string {
  return `${" ".repeat(depth)}${printableJson(name)}: ${indented(value, depth).trimStart()}`;
}

function indented(value: unknown, depth: number): string {
  return printableJson(value).replace(/^/gm, " ".repeat(depth));
}
