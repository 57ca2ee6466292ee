/** Runs a bridge on this process's own streams until they or a signal end it. */
import { bridge } from "../../client/index.ts";
import { maskUrl } from "../../desktop/index.ts";
import { parameterHeaders } from "../../relay/index.ts";
import { exitCodes } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { printableLine } from "../terminal/printable.ts";
import { endpointOf } from "./endpoint-of.ts";
import { filledHeaders } from "./given-headers.ts";
import { stdioStreams } from "./stdio-streams.ts";
import { steadyFetch } from "./steady-fetch.ts";

export interface RunBridgeOptions {
  readonly target?: string | undefined;
  readonly relayToken?: string | undefined;
  readonly header?: Readonly<Record<string, string>> | undefined;
}

export async function runBridge(
  shell: Shell,
  { target, relayToken, header = {} }: RunBridgeOptions,
): Promise<number> {
  const headers = filledHeaders(header, shell.env);
  const { url } = await endpointOf(shell, target);
  // The catalog's own endpoint takes the catalog's token; a relay never sees that.
  const token = target === undefined ? shell.options.token : relayToken;
  await using steady = steadyFetch();
  shell.note(shell.noteStyle.quiet(`openmcp connect: ${printableLine(maskUrl(url))}`));
  await bridge(stdioStreams(shell.streams), url, {
    headers,
    fetch: steady.fetch,
    signal: shell.signal,
    parameterHeaders: (tool, args) => parameterHeaders(tool, args),
    onNote: (text) => shell.note(printableLine(text)),
    ...(token === undefined || token === "" ? {} : { token }),
  });
  return exitCodes.ok;
}
