/** Built files made smaller for the way, once: they are few, and don't change while a catalog runs. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** Files whose small form is kept: more than there are, and a bound all the same. */
const MAX_KEPT = 64;

export function createGzip(): (text: string) => Promise<Uint8Array> {
  const kept = new Map<string, Promise<Uint8Array>>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = compress(text, { level: 9 });
    if (kept.size < MAX_KEPT) kept.set(text, made);
    return made;
  };
}
