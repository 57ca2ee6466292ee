/** Objects of a list side by side. A table where at least two rows share members; whether it is one is decided here too. */
import type { JsonValue } from "../../../src/spec/index.ts";
import { isNumber, isRecord, numberText, own } from "../json/exact.ts";
import { MAX_COLUMNS, MAX_ROWS } from "../limits.ts";
import { Link, Name } from "../ui/texts.tsx";

export interface TableData {
  /** Where it was found in the value; null: the value itself. */
  readonly member: string | null;
  readonly rows: readonly JsonValue[];
  readonly columns: readonly string[];
}

/** The list of objects that a value is, or that one of its members is. */
export function tableOf(value: JsonValue): TableData | null {
  if (Array.isArray(value)) return rowsOf(value, null);
  if (!isRecord(value)) return null;
  for (const [name, member] of Object.entries(value)) {
    const found = Array.isArray(member) ? rowsOf(member, name) : null;
    if (found !== null) return found;
  }
  return null;
}

function rowsOf(rows: readonly JsonValue[], member: string | null): TableData | null {
  if (rows.length === 0 || !rows.every(isRecord)) return null;
  const columns = new Set<string>();
  for (const row of rows.slice(0, MAX_ROWS)) {
    for (const name of Object.keys(row as object)) if (columns.size < MAX_COLUMNS) columns.add(name);
  }
  return columns.size === 0 ? null : { member, rows, columns: [...columns] };
}

export function ResultTable({ table, caption }: { readonly table: TableData; readonly caption: string }) {
  const { rows, columns, member } = table;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard.
    <section class="scroll" tabIndex={0} aria-label={caption}>
      <table>
        <caption>
          {member !== null && <Name text={member} code />}
          <span class="soft">
            {" "}
            {rows.length} {rows.length === 1 ? "row" : "rows"}
            {rows.length > MAX_ROWS && `, of which ${MAX_ROWS} are shown`}
          </span>
        </caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                <Name text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, at) => (
            <tr key={at}>
              {columns.map((name) => (
                <td key={name} class={isNumber(own(row, name)) ? "right" : ""}>
                  <Cell value={own(row, name)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ value }: { readonly value: JsonValue | undefined }) {
  if (value === undefined) return null;
  if (isNumber(value)) return <>{numberText(value)}</>;
  if (typeof value === "string") {
    const cut = value.length > 300 ? `${value.slice(0, 300)}…` : value;
    return /^https?:\/\//i.test(value) ? <Link href={value}>{cut}</Link> : <bdi>{cut}</bdi>;
  }
  const text = JSON.stringify(value) ?? "";
  return <code>{text.length > 200 ? `${text.slice(0, 200)}…` : text}</code>;
}
