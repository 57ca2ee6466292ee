/** Is a version one version? Semantic ones and others are; ranges, wildcards and words that move are not (Server Card v1, `version`). */

const OPERATORS = /[\^~<>=|*,]|\s-\s|\s/;

/** `1.x`, `1.2.X`, `x`: a wildcard for a number; not the `x` of `1.0.0-x86`. */
const WILDCARD = /^v?(?:\d+\.)*[xX](?:\.|$)/;

const MOVING: ReadonlySet<string> = new Set([
  "latest",
  "next",
  "stable",
  "newest",
  "current",
  "any",
  "main",
  "master",
  "head",
  "nightly",
  "edge",
]);

export function isSingleVersion(version: string): boolean {
  const text = version.trim();
  if (text === "" || text !== version) return false;
  return !OPERATORS.test(text) && !WILDCARD.test(text) && !MOVING.has(text.toLowerCase());
}
