/**
 * What people and agents paste into a question beside their words: URLs, addresses, paths, selectors, quoted strings,
 * numbers, hashes. They are arguments of the call to come, and mislead a search for the tool.
 */

const values: readonly RegExp[] = [
  /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi,
  /[\w.+-]+@[\w-]+\.[\w.]+/g,
  /(?<!\w)[~.]?\/[\w.-]+(?:\/[\w.-]*)*/g,
  /"[^"]{1,200}"|“[^”]{1,200}”|`[^`]{1,200}`/g,
  /(?<=^|\s)'[^']{1,200}'(?=$|[\s.,;:?!)])/g,
  /[#.]\w+[-_][\w-]+/g,
  /\b0x[\da-f]+/gi,
  /\b[\da-f]{8}-[\da-f-]{10,}\b/gi,
  /\b\d[\d.,:%-]*\b/g,
];

/** The text with each such value replaced by a space. */
export function withoutValues(text: string): string {
  return values.reduce((rest, value) => rest.replace(value, " "), text);
}
