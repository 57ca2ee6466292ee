/** The author's server, made for one caller, with what the kit adds: layers round calls, subscriptions, and who sees which tool. */
import { type Caller, callerOfScope, type Era, type Scope } from "./call-scope.ts";
import type { Middleware } from "./middleware.ts";
import { wrapCalls } from "./middleware.ts";
import type { ServeContext, ServerFactory } from "./options.ts";
import { assertServer, type BuiltServer } from "./sdk-internals.ts";
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
}): Builder {
  const factory = options.server as unknown as ServerFactory<unknown, unknown>;
  return async (scope, era) => {
    const caller: Caller = callerOfScope(scope);
    const context: ServeContext<unknown, unknown> = { ...caller, era, authInfo: authInfoOf(caller.user) };
    const server = await factory(context);
    assertServer(server);
    const visibility = createVisibility<unknown>(server);
    await visibility.apply(scope.viewer, scope.wanted);
    wrapCalls(server, { layers: options.middleware, era });
    return { server, visibility, tell: addSubscriptions(server, era) };
  };
}
