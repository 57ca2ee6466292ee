/** Work on many things, a few at once, with the results in the order of the things. Rejects with the first that does. */
export async function eachOf<T, R>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    while (next < things.length) {
      const at = next;
      next += 1;
      results[at] = await work(things[at] as T);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, worker));
  return results;
}
