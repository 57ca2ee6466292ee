/**
 * Drops a reader's connection in the middle of an answer, so that what broke off is not taken for whole. It is what an adapter hands
 * on beside the request; a runtime that hands on none has only the stream's own error to tell it by.
 */

/** `env`: what the adapter hands on; of it only `outgoing`, the response's side of the connection on Node, is used. False: there is none. */
export function cutConnection(env: unknown): boolean {
  const { outgoing } = (env ?? {}) as { readonly outgoing?: { destroy?(): void } };
  if (typeof outgoing?.destroy !== "function") return false;
  outgoing.destroy();
  return true;
}
