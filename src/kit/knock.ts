/**
 * Who may knock, in a relay's own words: Host on every route, Origin where something is asked of the server. The checks are http/'s
 * gate; it speaks of catalogs, and a relay's author needs to be told which option to give.
 */
import { createGate } from "../http/index.ts";
import { isOpenMcpError, OpenMcpError } from "../spec/index.ts";

export interface KnockOptions {
  readonly publicUrl: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

export interface Knock {
  /** @throws OpenMcpError `forbidden`. */
  host(request: Request): void;
  /** @throws OpenMcpError `forbidden`. */
  origin(request: Request): void;
}

export function createKnock({ publicUrl, allowedHosts, allowedOrigins }: KnockOptions): Knock {
  const gate = createGate({
    url: publicUrl ?? "http://localhost",
    // As they stand in a parsed URL: lower case, international names in their ASCII form.
    hosts: allowedHosts.map((host) => new URL(`http://${host}`).hostname),
    origins: allowedOrigins,
  });
  return {
    host: (request) =>
      saying(
        "this server does not answer to the host name that was asked; its author names it with publicUrl or allowedHosts",
        () => gate.checkHost(request),
      ),
    origin: (request) =>
      saying(
        "pages of this origin may read the published documents, but not speak MCP here; the author allows them with allowedOrigins",
        () => gate.checkOrigin(request),
      ),
  };
}

function saying(message: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!isOpenMcpError(error, "forbidden")) throw error;
    throw new OpenMcpError("forbidden", message, { data: error.data });
  }
}
