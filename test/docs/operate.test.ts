/** docs/operate.md is what operators build their dashboards on: its tables are the code's. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { type MetricDefinition, metrics } from "../../src/spec/index.ts";

const page = await readFile(new URL("../../docs/operate.md", import.meta.url), "utf8");

it("lists every metric with its kind, unit, help and labels", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `openmcp_"));
  expect(rows).toEqual(
    Object.entries<MetricDefinition>(metrics).map(([name, { kind, unit, help, labels }]) => {
      const cells = [`\`openmcp_${name}\``, kind, unit, help, labelsText(labels)];
      return `| ${cells.join(" | ")} |`;
    }),
  );
});

it("names only metrics that there are", () => {
  const named = [...page.matchAll(/openmcp_([a-z_]+)/g)].map(([, name = ""]) => name);
  expect([...new Set(named)].filter((name) => name !== "" && !Object.hasOwn(metrics, name))).toEqual([]);
});

function labelsText(labels: MetricDefinition["labels"]): string {
  return Object.entries(labels)
    .map(
      ([label, values]) =>
        `\`${label}\`: ${"namedInCode" in values ? values.namedInCode : values.join(", ")}`,
    )
    .join("; ");
}
