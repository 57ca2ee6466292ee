/** The files of a relay to begin with, as texts. Pure: writing them is write-starter.ts. */

export interface StarterVersions {
  /** A version of the registry's, or `file:` and the packed package in the folder. */
  readonly openmcp: string;
  readonly server: string;
  readonly zod: string;
  readonly typescript: string;
  readonly nodeTypes: string;
  /** As `engines` has it. */
  readonly node: string;
}

export interface Starter {
  readonly name: string;
  readonly versions: StarterVersions;
}

/** Path in the folder -> text. */
export function starterFiles({ name, versions }: Starter): ReadonlyMap<string, string> {
  return new Map([
    ["package.json", packageJson({ name, versions })],
    ["tsconfig.json", TSCONFIG],
    [".gitignore", "node_modules/\n"],
    ["README.md", readme(name, versions)],
    ["src/relay.ts", relay(name)],
    ["src/main.ts", MAIN],
    ["test/relay.test.ts", TEST],
  ]);
}

function packageJson({ name, versions }: Starter): string {
  const manifest = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines: { node: versions.node },
    scripts: { start: "node src/main.ts", test: 'node --test "test/*.test.ts"', check: "tsc" },
    dependencies: {
      "@modelcontextprotocol/server": versions.server,
      openmcp: versions.openmcp,
      zod: versions.zod,
    },
    devDependencies: { "@types/node": versions.nodeTypes, typescript: versions.typescript },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2024",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["src", "test"]
}
`;

const relay = (name: string): string => `/** The relay: its tools, and what it says of itself. */
import { server } from "openmcp/kit";
import { z } from "zod";

export const relay = server(${JSON.stringify(name)}, "0.1.0", {
  description: { description: "Greets people by name." },
  publicUrl: process.env.PUBLIC_URL,
}).tool(
  "greet",
  {
    description: "Greets someone by name.",
    input: z.object({ name: z.string().min(1).max(100).describe("Whom to greet") }),
    output: z.object({ message: z.string() }),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  ({ name }) => ({ message: \`Hello, \${name}!\` }),
);
`;

const MAIN = `/** Serves the relay until it is told to stop. */
import { relay } from "./relay.ts";

const { HOST = "127.0.0.1", PORT = "8080" } = process.env;
const on = await relay.listen({ host: HOST, port: Number(PORT) });
console.log(\`MCP endpoint: \${on.url}\`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void on.close());
`;

/** Without `await using`, which Node 22 does not know. */
const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { connectTo, toolSnapshot } from "openmcp/testing";
import { relay } from "../src/relay.ts";

test("the tools are those of the snapshot", () => toolSnapshot(relay));

test("greets", async (t) => {
  const { client, close } = await connectTo(relay);
  t.after(close);
  const result = await client.callTool({ name: "greet", arguments: { name: "Ada" } });
  assert.deepEqual(result.structuredContent, { message: "Hello, Ada!" });
});
`;

const readme = (name: string, { node, openmcp }: StarterVersions): string => `# ${name}

An MCP server for clients of both protocol eras, with the documents by which it is found. Node ${node.replace(">=", "")} or newer runs its
TypeScript as it is.

\`\`\`sh
npm install
npm start          # http://127.0.0.1:8080/mcp, or PORT=…
npm test           # the first run writes test/__snapshots__: commit it
npm run check      # types
\`\`\`

The tools are in \`src/relay.ts\`. A change of them fails \`npm test\` and says what it breaks; when it is meant,
\`OPENMCP_UPDATE_SNAPSHOTS=1 npm test\` writes the snapshot anew.

To see it listed, run a catalog beside it:

\`\`\`sh
npx openmcp serve
npx openmcp add http://127.0.0.1:8080/mcp
\`\`\`

${copyRemark(openmcp)}To the world it is served with \`HOST=0.0.0.0\` behind a proxy that ends TLS, and with \`PUBLIC_URL=https://…\`, the address that its
documents name.
`;

const copyRemark = (openmcp: string): string =>
  openmcp.startsWith("file:")
    ? `\`${openmcp.slice("file:".length)}\` is a copy of the OpenMCP that wrote this; it goes into version control with the rest. Under its name a
registry may have another package.

`
    : "";
