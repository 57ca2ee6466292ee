/** One document, whatever it is, read for its author: what it is, the two verdicts and all that is wrong with it. */
import type { JsonValue } from "../json.ts";
import type { Reading } from "./diagnostic.ts";
import { createFindings } from "./findings.ts";
import { openDocument } from "./open-document.ts";
import { readCatalog } from "./read-catalog.ts";
import { readDescriptor } from "./read-descriptor.ts";
import { readRegistryPage, readRegistryServer } from "./read-registry-server.ts";
import { readServerCard } from "./read-server-card.ts";
import { type DocumentKind, sniffDocument } from "./sniff-document.ts";

export interface LintReading extends Reading<unknown> {
  readonly kind: DocumentKind;
}

/** `url`: where it was read, or will be served: what is relative resolves on it. */
export function lintDocument(
  document: string | JsonValue,
  context: { readonly url?: string } = {},
): LintReading {
  const kind = sniffDocument(document);
  return { kind, ...readAs(kind, { document, context }) };
}

interface Given {
  readonly document: string | JsonValue;
  readonly context: { readonly url?: string };
}

function readAs(kind: DocumentKind, { document, context }: Given): Reading<unknown> {
  switch (kind) {
    case "descriptor":
      return readDescriptor(document, context);
    case "mcp-catalog":
    case "ai-catalog":
      return readCatalog(document, context);
    case "server-card":
    case "legacy-server-card": {
      const { shape: _shape, ...reading } = readServerCard(document, context);
      return reading;
    }
    case "registry-server":
      return readRegistryServer(document);
    case "registry-page":
      return readRegistryPage(document);
    case "html":
    case "not-json":
    case "unknown": {
      const { value, findings } = openDocument(document);
      if (value !== undefined) {
        findings.add("unknown-document", "", "nothing in it tells which document it should be");
      }
      return { conformant: false, usable: false, value: null, diagnostics: findings.list };
    }
  }
}

/** For bytes that are no text at all. */
export function lintNoText(): LintReading {
  const findings = createFindings();
  findings.add("not-utf-8", "", "the bytes are not UTF-8");
  return { kind: "not-json", conformant: false, usable: false, value: null, diagnostics: findings.list };
}
