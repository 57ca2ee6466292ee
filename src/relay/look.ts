/** A whole look at one endpoint: asked, then judged. */
import type { EndpointVerdict } from "../spec/index.ts";
import { ask } from "./ask.ts";
import { judge } from "./judge.ts";
import type { AskOptions } from "./types.ts";

/**
 * What `endpoint` is, and its tools.
 * @throws OpenMcpError `aborted` when the caller's signal does; every other failure is a verdict.
 * @example
 * const verdict = await look("https://relay.example/mcp", { exchange, now: Date.now });
 * if (verdict.state !== "online") console.log(verdict.error);
 */
export async function look(endpoint: string, options: AskOptions): Promise<EndpointVerdict> {
  return judge(await ask(endpoint, options));
}
