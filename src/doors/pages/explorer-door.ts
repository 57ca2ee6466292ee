/**
 * The Explorer in a catalog, at `/explorer`: `?relay=ID` tries a relay through the catalog's passage; a server elsewhere is spoken to by
 * the browser itself. The page is static: what it may do, the passage's door decides.
 */
import {
  createGate,
  type ExplorerReplyOptions,
  explorerReply,
  type Gate,
  methodNotAllowed,
  optionsReply,
  problemReply,
  publicError,
} from "../../http/index.ts";

export interface ExplorerDoorOptions extends Pick<ExplorerReplyOptions, "gzip" | "files"> {
  /** The catalog's own URL; its Host is the one that is answered. */
  readonly url: string;
  readonly gate?: Gate;
}

const PREFIX = "/explorer";
const READS = ["GET", "HEAD"];

/** A fetch for `/explorer` and everything below it. */
export function explorerDoor({
  url,
  gate = createGate({ url }),
  ...options
}: ExplorerDoorOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      gate.checkHost(request);
      if (request.method === "OPTIONS") return optionsReply(READS);
      if (!READS.includes(request.method)) throw methodNotAllowed(request.method.slice(0, 20), READS);
      return await explorerReply(request, {
        ...options,
        path: new URL(request.url).pathname.slice(PREFIX.length),
        anywhere: true,
        settings: {
          endpoint: null,
          shown: null,
          command: null,
          title: null,
          openapi: null,
          catalog: "../",
        },
      });
    } catch (error) {
      return problemReply(publicError(error));
    }
  };
}
