/** Closing several parts so that one that fails keeps no other open. */

/**
 * Runs all of `closers`, one after the other or side by side.
 * @throws what the first of them that failed threw, once all had their turn.
 */
export async function closeAll(
  closers: readonly (() => Promise<void>)[],
  { sideBySide = false }: { readonly sideBySide?: boolean } = {},
): Promise<void> {
  const ends: PromiseSettledResult<void>[] = [];
  if (sideBySide) ends.push(...(await Promise.allSettled(closers.map((close) => close()))));
  else for (const close of closers) ends.push(...(await Promise.allSettled([close()])));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
