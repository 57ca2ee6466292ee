/** Where a card may lie: the place that is reserved for it beside its endpoint. */

/** `<endpoint>/server-card`: query and fragment dropped, slashes at the end of the path not doubled. */
export function serverCardUrl(endpoint: string): string {
  throw new Error(`not yet: ${endpoint}`);
}
