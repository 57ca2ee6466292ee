/**
 * In place of listen.ts and serve-stdio.ts in bundles for a runtime without Node's modules: the `browser` map of package.json has
 * bundlers put it there, so that such a bundle imports nothing of Node's, and who asks for a socket is told.
 */
import { OpenMcpError } from "../../spec/index.ts";

/** @throws OpenMcpError `unavailable`, always. */
export function listen(): never {
  throw absent("listener", "a socket of its own");
}

/** @throws OpenMcpError `unavailable`, always. */
export function serveStdio(): never {
  throw absent("stdio", "standard input and output");
}

function absent(part: string, what: string): OpenMcpError {
  return new OpenMcpError(
    "unavailable",
    `this bundle was made for a runtime without Node's modules, and ${what} needs them: hand requests to \`fetch\`, or bundle for Node`,
    { data: { part, reason: "no-node" } },
  );
}
