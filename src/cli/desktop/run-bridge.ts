/** Runs a bridge on this process's own streams until they or a signal end it. */
import { bridge } from "../../client/index.ts";
import { maskUrl } from "../../desktop/index.ts";
import { RELAY_CREDENTIAL_HEADER } from "../../http/index.ts";
import { parameterHeaders } from "../../relay/index.ts";
import { OpenMcpError } from "../../spec/index.ts";
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
  /** Through the catalog, and not to the relay itself. */
  readonly through?: boolean | undefined;
}

export async function runBridge(shell: Shell, options: RunBridgeOptions): Promise<number> {
  const { url, headers, token } = await wayOf(shell, options);
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

interface Way {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | undefined;
}

async function wayOf(
  shell: Shell,
  { target, relayToken, header = {}, through = false }: RunBridgeOptions,
): Promise<Way> {
  const headers = filledHeaders(header, shell.env);
  const { url, passage } = await endpointOf(shell, target);
  // The catalog's own endpoint takes the catalog's token; a relay never sees that.
  if (!through) return { url, headers, token: target === undefined ? shell.options.token : relayToken };
  if (passage === null) {
    throw new OpenMcpError("invalid-input", "--through is for a relay of the catalog: name it by its id.", {
      data: { field: "target" },
    });
  }
  if (Object.keys(headers).length > 0) {
    throw new OpenMcpError(
      "invalid-input",
      "A catalog passes on the relay's token and no header of yours: leave out --header, or --through.",
      { data: { field: "header" } },
    );
  }
  const bearer = relayToken === undefined || relayToken === "" ? undefined : relayToken;
  return {
    url: passage,
    headers: bearer === undefined ? {} : { [RELAY_CREDENTIAL_HEADER]: `Bearer ${bearer}` },
    token: undefined,
  };
}
