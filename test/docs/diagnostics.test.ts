/** docs/diagnostics.md is the table of codes, as the code has it. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { diagnosticCodes, diagnosticRules } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";

const page = await readFile(new URL("../../docs/diagnostics.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  (row) => row.slice(1),
);

it(
  "docs/diagnostics.md lists the codes there are, in their order, with meaning and cure",
  verifies("documents.diagnostics"),
  () => {
    expect(rows).toEqual(
      diagnosticCodes.map((code) => {
        const { severity, breaks, meaning, cure } = diagnosticRules[code];
        return [code, severity, breaks ? "no" : "yes", meaning, cure];
      }),
    );
  },
);

it("what is only a warning or a note leaves a document conformant", () => {
  for (const rule of Object.values(diagnosticRules)) if (rule.breaks) expect(rule.severity).toBe("error");
});
