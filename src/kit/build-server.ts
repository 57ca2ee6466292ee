/** The author's server, made for one caller, with what the kit adds: layers round calls, subscriptions, and who sees which tool. */
import type { Logger } from "../spec/index.ts";
import { type Caller, callerOfScope, type Era, type Scope, scopeOf } from "./call-scope.ts";
import type { Middleware } from "./middleware.ts";
import { wrapCalls } from "./middleware.ts";
import type { ServeContext, ServerFactory } from "./options.ts";
import { assertServer, type BuiltServer, handlerOf, protocolOf } from "./sdk-internals.ts";
import { addSubscriptions, type Teller } from "./subscriptions.ts";
import { authInfoOf } from "./users.ts";
import { createVisibility, type Visibility } from "./visibility.ts";

export interface Built {
  readonly server: BuiltServer;
  readonly visibility: Visibility<unknown>;
  readonly tell: Teller;
}

export type Builder = (scope: Scope, era: Era) => Promise<Built>;

export function createBuilder(options: {
  readonly server: ServerFactory<never, never>;
  readonly middleware: readonly Middleware[];
  readonly logger: Logger;
}): Builder {
  const factory = options.server as unknown as ServerFactory<unknown, unknown>;
  return async (scope, era) => {
    const caller: Caller = callerOfScope(scope);
    const context: ServeContext<unknown, unknown> = { ...caller, era, authInfo: authInfoOf(caller.user) };
    const server = await factory(context);
    assertServer(server);
    const visibility = createVisibility<unknown>(server);
    await visibility.apply(scope.viewer, scope.wanted);
    if (era === "legacy") heldTo(visibility, protocolOf(server));
    wrapCalls(server, { layers: options.middleware, era, logger: options.logger });
    return { server, visibility, tell: addSubscriptions(server, era) };
  };
}

/**
 * A session's server works for several requests at a time, whose callers may be one user with different rights: a layer that waits, or
 * a second request, must not lend a call the tools of another. What was found of its caller is put in force again as it is handled.
 */
function heldTo(visibility: Visibility<unknown>, server: ReturnType<typeof protocolOf>): void {
  for (const method of ["tools/list", "tools/call"] as const) {
    const inner = handlerOf(server, method);
    if (inner === undefined) continue;
    server.setRequestHandler(method, (request, context) => {
      const scope = scopeOf(context.http?.req);
      if (scope !== undefined) visibility.again(scope.viewer);
      return inner(request as never, context as never) as never;
    });
  }
}
