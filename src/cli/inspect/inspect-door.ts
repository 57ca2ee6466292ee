/**
 * What `openmcp inspect` answers on this machine: the Explorer, and the endpoint that it speaks to. Everything lies under a random
 * path that only the printed address has; Host and Origin are looked at besides, so that no other page of the browser gets in.
 */
import { randomUUID } from "node:crypto";
import {
  createGate,
  type ExplorerReplyOptions,
  explorerReply,
  problemReply,
  publicError,
} from "../../http/index.ts";
import { type ExplorerSettings, OpenMcpError } from "../../spec/index.ts";
import type { Upstream } from "./upstream.ts";

export interface InspectDoorOptions extends Pick<ExplorerReplyOptions, "gzip" | "files"> {
  /** Where it is reached, `http://127.0.0.1:…/`. */
  readonly url: string;
  /** The first part of every path. */
  readonly key: string;
  readonly upstream: Upstream;
  readonly settings: Pick<ExplorerSettings, "shown" | "command" | "title">;
}

export function inspectDoor(options: InspectDoorOptions): (request: Request) => Promise<Response> {
  const { url, key, upstream, settings } = options;
  const gate = createGate({ url });
  return async (request) => {
    try {
      gate.checkHost(request);
      const { pathname } = new URL(request.url);
      const below = pathname.startsWith(`/${key}/`) ? pathname.slice(key.length + 1) : null;
      if (below?.startsWith("/mcp/")) {
        gate.checkOrigin(request);
        // A page of another origin may not even ask what it may.
        if (request.headers.get("sec-fetch-site") === "cross-site") throw nothing();
        return await upstream.fetch(request, below.slice("/mcp/".length));
      }
      if (below === "/explorer" || below?.startsWith("/explorer/")) {
        return await explorerReply(request, {
          ...(options.gzip === undefined ? {} : { gzip: options.gzip }),
          ...(options.files === undefined ? {} : { files: options.files }),
          path: below.slice("/explorer".length),
          // Each page has a conversation of its own.
          settings: { ...settings, endpoint: `../mcp/${randomUUID()}`, openapi: null, catalog: null },
        });
      }
      throw nothing();
    } catch (error) {
      return problemReply(publicError(error));
    }
  };
}

function nothing(): OpenMcpError {
  return new OpenMcpError("not-found", "there is nothing here; the address that was printed has it all");
}
