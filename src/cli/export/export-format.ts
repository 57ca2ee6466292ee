/** What an export format is: from records, one by one, to the text of one document. */
import type { RelayRecord } from "../../spec/index.ts";

export interface ExportContext {
  /** The catalog's public URL: cards and identifiers are under it. */
  readonly url: string;
  /** Told of what a reader should know beside the document, once each; kept short. */
  remark(about: ExportRemark): void;
}

export type ExportRemark =
  /** A card can't be made of it: a credential or an internal address would be in it. */
  | { readonly kind: "left-out"; readonly relay: string }
  /** It wants a credential, and the file holds none. */
  | { readonly kind: "credential"; readonly relay: string; readonly auth: string };

export interface ExportFormat {
  /** For the help. */
  readonly summary: string;
  write(records: AsyncIterable<RelayRecord>, context: ExportContext): AsyncIterable<string>;
}
