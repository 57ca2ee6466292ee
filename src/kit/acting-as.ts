/**
 * A relay as one user sees it, inside this process and without a credential: for tests, and for whoever shows users their own tools.
 * Nothing of it is reachable from outside: it takes the `Kit` itself.
 */
import { OpenMcpError } from "../spec/index.ts";
import type { Kit } from "./options.ts";

/** A plain `fetch` of one relay. */
export type ActingFetch = (request: Request) => Promise<Response>;

interface Acting {
  readonly hasUsers: boolean;
  /** The endpoint, under a name that the relay goes by. */
  readonly url: string;
  readonly as: (user: unknown) => ActingFetch;
}

const kits = new WeakMap<object, Acting>();

/** Each relay is told of here when it is made. */
export function rememberActing(kit: Kit, acting: Acting): void {
  kits.set(kit, acting);
}

/**
 * The relay's `fetch` for requests of `user`, of whom `authenticate` is not asked; Hosts and Origins are judged as ever.
 * @throws OpenMcpError `invalid-input` for what `serve` did not make; and without a user (undefined) where the relay has users.
 * @example
 * ```ts
 * const kit = server("greet", "1.0.0").tool("hello", {}, () => "Hello!").serve();
 * const { fetch, url } = actingAs(kit, { id: "ada", admin: true });
 * ```
 */
export function actingAs(kit: Kit, user: unknown): { readonly fetch: ActingFetch; readonly url: string } {
  const acting = kits.get(kit);
  if (acting === undefined) throw new OpenMcpError("invalid-input", "this is no relay that serve() made");
  if (acting.hasUsers && user === undefined) {
    throw new OpenMcpError("invalid-input", "this relay has users: say whom to act as", {
      data: { field: "as" },
    });
  }
  return { fetch: acting.as(user), url: acting.url };
}
