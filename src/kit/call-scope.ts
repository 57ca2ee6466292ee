/**
 * Whose request it is: what the kit found out about a request, for whoever serves it. It travels beside the `Request` that the SDK
 * hands to every handler, so that a plain SDK handler can ask for it too.
 */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Session } from "./sessions/session.ts";
import type { Viewer, WantedTools } from "./visibility.ts";

export type Era = "legacy" | "modern";

/** What is known of a caller. */
export interface Caller<User = unknown, State = unknown> {
  /** As `authenticate` gave it for this request; undefined where there is no `authenticate`. */
  readonly user: User;
  /** The legacy session, or the one connection over stdio; null in the modern era over HTTP, which has none. */
  readonly session: Session<State> | null;
  /** As it came, headers and all; null over stdio. */
  readonly request: Request | null;
}

/** The kit's own view of it. */
export interface Scope {
  readonly viewer: Viewer<unknown>;
  readonly session: Session<unknown> | null;
  /** As it came from outside. */
  readonly request: Request | null;
  readonly wanted: WantedTools;
}

const scopes = new WeakMap<Request, Scope>();

export function setScope(request: Request, scope: Scope): void {
  scopes.set(request, scope);
}

export function scopeOf(request: Request | undefined): Scope | undefined {
  return request === undefined ? undefined : scopes.get(request);
}

export function callerOfScope(scope: Scope | undefined): Caller {
  return {
    user: scope === undefined || scope.viewer === "anonymous" ? undefined : scope.viewer.user,
    session: scope?.session ?? null,
    request: scope?.request ?? null,
  };
}

/** Over stdio there is no request to hang a scope on: the connection's server has it. */
const connections = new WeakMap<AbortSignal, Scope>();

export function setSignalScope(signal: AbortSignal, scope: Scope): void {
  connections.set(signal, scope);
}

/**
 * Who calls, in a handler of the SDK: `mcp.registerTool("add", …, (args, context) => callerOf<User>(context).user)`.
 * The user is the one of this very request, also in a session that was opened long ago.
 */
export function callerOf<User = unknown, State = unknown>(context: ServerContext): Caller<User, State> {
  const scope = scopeOf(context.http?.req) ?? connections.get(context.mcpReq.signal);
  return callerOfScope(scope) as Caller<User, State>;
}
