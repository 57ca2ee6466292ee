/** The error for a name or version that no server has here. */
import { OpenMcpError } from "../../spec/index.ts";

export function serverNotFound(name: string, version?: string): OpenMcpError {
  const what = version === undefined ? `server "${name}"` : `version "${version}" of a server "${name}"`;
  return new OpenMcpError("not-found", `there is no ${what} here; GET /v0.1/servers lists all`, {
    data: { name, ...(version === undefined ? {} : { version }) },
  });
}
