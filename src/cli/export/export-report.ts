/** What is to be said beside an exported document: what was left out and why, who wants a credential, where the file is. */
import { resolve } from "node:path";
import { MAX_CATALOG_ENTRIES, type RelayRecord } from "../../spec/index.ts";
import { count } from "../format/facts.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import type { ExportRemark } from "./export-format.ts";

/** Relays that a remark names; the others are a number. */
const NAMED = 3;

export interface ExportReport {
  /** The same records, counted. */
  counted(records: AsyncIterable<RelayRecord>): AsyncGenerator<RelayRecord>;
  remark(about: ExportRemark): void;
  /** How many were read. */
  read(): number;
  /** For standard error, once all is written. */
  lines(style: Style, written: { readonly format: string; readonly out?: string }): readonly string[];
}

export function createExportReport(): ExportReport {
  const leftOut: string[] = [];
  const credentials: string[] = [];
  let read = 0;
  return {
    async *counted(records) {
      for await (const record of records) {
        read += 1;
        yield record;
      }
    },
    remark({ kind, relay }) {
      (kind === "left-out" ? leftOut : credentials).push(relay);
    },
    read: () => read,
    lines(style, { format, out }) {
      if (read === 0) return ["No relay matches."];
      const written = read - leftOut.length;
      const warn = (sentence: string) => `${style.warn("!")} ${sentence}`;
      const lines: string[] = [];
      if (leftOut.length > 0) {
        lines.push(
          warn(`Left out, for a credential, an internal address or plain http in the URL: ${some(leftOut)}.`),
        );
      }
      if (credentials.length > 0) {
        lines.push(warn(`These want a credential, and none is written: ${some(credentials)}.`));
      }
      if (format.endsWith("catalog") && written > MAX_CATALOG_ENTRIES) {
        lines.push(warn(`Readers take ${MAX_CATALOG_ENTRIES} entries of one file: narrow it.`));
      }
      if (out !== undefined && out !== "-") {
        lines.push(`${style.good("✓")} ${printableLine(resolve(out))}: ${count(written, "relay")}`);
      }
      return lines;
    },
  };
}

function some(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED).join(", ");
  return printableLine(ids.length > NAMED ? `${named} and ${ids.length - NAMED} more` : named);
}
