/**
 * Whose request it is. The kit asks `authenticate` for every request and every route that shows tools, keeps no credential, and
 * knows users by an id only: so that a session stays with the one who opened it.
 */

import type { AuthInfo } from "@modelcontextprotocol/server";
import { rpcError, SERVER_ERROR } from "../http/index.ts";
import { OpenMcpError } from "../spec/index.ts";

/**
 * The user of a request, or the response that refuses it: 401 with a challenge, as the SDK's `requireBearerAuth` gives. It may be
 * asked by requests of any method and must not read the body.
 */
export type Authenticate<User> = (request: Request) => User | Response | Promise<User | Response>;

/** The text that tells a user from all others. */
export type UserId<User> = (user: User) => string;

/**
 * The id of a user who is a text or a number, or has an `id`, a `sub`, or (the SDK's `AuthInfo`) an `extra.sub`. A client's id is
 * none: many users have one client.
 * @throws OpenMcpError `internal` for any other, which needs the option `userId`.
 */
function defaultUserId(user: unknown): string {
  const found = [user, member(user, "id"), member(user, "sub"), member(member(user, "extra"), "sub")].find(
    (value) => (typeof value === "string" && value !== "") || typeof value === "number",
  );
  if (found !== undefined) return String(found);
  throw nameless();
}

/**
 * The id of whoever `authenticate` gave; null where it gave nobody, and no `userId` says who that is.
 * @throws OpenMcpError `internal` for a user without an id: as much the author's to mend as it is no caller's.
 */
export function idOfUser(user: unknown, userId: UserId<never> | undefined): string | null {
  if (userId === undefined) return user === undefined || user === null ? null : defaultUserId(user);
  const id: unknown = userId(user as never);
  if (typeof id !== "string" || id === "") throw nameless();
  return id;
}

/** What nobody is told. */
export function noUser(): Response {
  const message = "this server is for its users: send a credential";
  return rpcError(401, { code: SERVER_ERROR, message, headers: { "www-authenticate": "Bearer" } });
}

function nameless(): OpenMcpError {
  const message =
    "a user has to have an id for a session to belong to: give the option userId, (user) => text";
  return new OpenMcpError("internal", message, { data: { field: "userId" } });
}

/** What the SDK's own checks of scopes read, where the user is what its bearer helper gave. */
export function authInfoOf(user: unknown): AuthInfo | undefined {
  const isInfo =
    typeof member(user, "token") === "string" &&
    typeof member(user, "clientId") === "string" &&
    Array.isArray(member(user, "scopes"));
  return isInfo ? (user as AuthInfo) : undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
