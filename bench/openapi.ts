/**
 * Tools as OpenAPI over the real tool lists of OPENMCP_DATA (tools/toucan-servers.jsonl), or made-up ones where they are not at hand:
 * every server's list is converted, comes back, is held against two validators, becomes types, and all types are compiled. Prints how
 * many did, and how long each step took; says what did not.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type OpenApiTool, openApiToTools, toolsToOpenApi } from "../src/openapi/index.ts";
import { compileErrors, complaints, typesOf } from "../test/openapi/judges.ts";
import { openToolSupply } from "./lib/tools.ts";

interface Server {
  readonly name: string;
  readonly tools: readonly OpenApiTool[];
}

export async function run(): Promise<void> {
  const servers = readServers();
  const ms = { convert: 0, judge: 0, generate: 0, compile: 0 };
  const failed: string[] = [];
  const files: Record<string, string> = {};
  let tools = 0;
  let withSchema = 0;
  let bytes = 0;
  for (const [index, server] of servers.entries()) {
    tools += server.tools.length;
    withSchema += server.tools.filter((tool) => tool.inputSchema !== undefined).length;
    const started = performance.now();
    const text = JSON.stringify(toolsToOpenApi({ name: server.name, version: "1.0.0" }, server.tools));
    const back = JSON.stringify(openApiToTools(JSON.parse(text)));
    const converted = performance.now();
    if (back !== JSON.stringify(server.tools)) failed.push(`${server.name}: comes back changed`);
    for (const complaint of await complaints(text))
      failed.push(`${server.name}: ${JSON.stringify(complaint)}`);
    const judged = performance.now();
    try {
      files[`server${index}.ts`] = await typesOf(text);
    } catch (error) {
      failed.push(`${server.name}: ${String(error)}`);
    }
    bytes += text.length;
    ms.convert += converted - started;
    ms.judge += judged - converted;
    ms.generate += performance.now() - judged;
  }
  const started = performance.now();
  const errors = await compileErrors(files);
  ms.compile = performance.now() - started;
  if (errors !== "") failed.push(errors.slice(0, 4_000));
  const each = Object.entries(ms).map(([step, time]) => `${step} ${Math.round(time)} ms`);
  console.log(
    `${servers.length} servers, ${tools} tools, ${withSchema} with a schema, ${(bytes / 1e6).toFixed(1)} MB`,
  );
  console.log(each.join(", "));
  console.log(failed.length === 0 ? "all convert, come back, validate and compile" : failed.join("\n"));
}

function readServers(): Server[] {
  const data = process.env.OPENMCP_DATA ?? join(import.meta.dirname, "..", "..", "shared", "data");
  const file = join(data, "tools", "toucan-servers.jsonl");
  if (!existsSync(file)) {
    const supply = openToolSupply();
    return Array.from({ length: 200 }, (_, index) => ({
      name: `made-up-${index}`,
      tools: supply.toolsOf(index, 10),
    }));
  }
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => serverOf(JSON.parse(line)));
}

interface Line {
  readonly server: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description?: string;
    readonly input_schema?: OpenApiTool;
  }[];
}

/** Each name once, as a catalog has them. */
function serverOf({ server, tools }: Line): Server {
  const byName = new Map<string, OpenApiTool>();
  for (const { name, description, input_schema: inputSchema } of tools) {
    if (byName.has(name)) continue;
    byName.set(name, {
      name,
      ...(description === undefined ? {} : { description }),
      ...(inputSchema === undefined ? {} : { inputSchema }),
    });
  }
  return { name: server, tools: [...byName.values()] };
}
