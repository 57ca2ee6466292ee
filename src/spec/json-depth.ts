/**
 * How deep JSON text is nested, told without parsing it: parsers survive any depth, those who walk the value may not
 * (`JSON.stringify` and `canonicalJson` recurse). Every reader of text from outside asks this first.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** True when arrays and objects in `text` are nested more than `levels` deep. Brackets inside strings do not count. */
export function nestsDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > levels) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}
