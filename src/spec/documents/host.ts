/**
 * Does a host name or address belong to the public internet, as far as its text tells? For lints and builders only: what is really
 * connected to is net/'s to judge, behind every name and redirect. The ranges are those of the IANA special-purpose registries that
 * someone could publish by mistake.
 */

/** `host`: of a parsed URL, so that `2130706433` is `127.0.0.1` already; an IPv6 address in brackets or without. */
export function isPrivateHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  const words = ipv6Words(name);
  if (words !== null) return isPrivateIpv6(words);
  const bytes = ipv4Bytes(name);
  if (bytes !== null) return isPrivateIpv4(bytes);
  const labels = name.split(".").filter((label) => label !== "");
  const last = labels.at(-1) ?? "";
  return labels.length < 2 || privateNames.has(last) || name.replace(/\.$/, "").endsWith("home.arpa");
}

/** Names that no public resolver answers: RFC 6761, RFC 6762, ICANN's reservation of `internal`, and what routers hand out. */
const privateNames: ReadonlySet<string> = new Set([
  "localhost",
  "local",
  "internal",
  "intranet",
  "lan",
  "home",
  "corp",
  "private",
  "localdomain",
]);

export function isIpv6(text: string): boolean {
  return ipv6Words(text) !== null;
}

function ipv4Bytes(text: string): readonly number[] | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return null;
  const bytes = text.split(".").map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

function isPrivateIpv4([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean {
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
    (a === 203 && b === 0 && c === 113) ||
    // Azure's wire server: a public-looking address.
    (a === 168 && b === 63 && c === 129 && d === 16) ||
    a >= 224
  );
}

function isPrivateIpv6(words: readonly number[]): boolean {
  const [first = 0] = words;
  const v4 = (at: number): readonly number[] =>
    [words[at] ?? 0, words[at + 1] ?? 0].flatMap((word) => [word >> 8, word & 0xff]);
  const zeros = (count: number): boolean => words.slice(0, count).every((word) => word === 0);
  // Mapped, translated, compatible, and `::` and `::1`, which read as 0.0.0.0 and 0.0.0.1.
  if (zeros(5) && (words[5] === 0 || words[5] === 0xffff)) return isPrivateIpv4(v4(6));
  if (zeros(4) && words[4] === 0xffff) return isPrivateIpv4(v4(6));
  if (first === 0x64 && words[1] === 0xff9b) return words[2] === 1 || isPrivateIpv4(v4(6));
  if (first === 0x2002) return isPrivateIpv4(v4(1));
  // Only 2000::/3 is given to the public internet; documentation has a part of it.
  return (
    (first & 0xe000) !== 0x2000 ||
    (first === 0x2001 && words[1] === 0xdb8) ||
    (first === 0x3fff && (words[1] ?? 0) < 0x1000)
  );
}

/** Eight words of 16 bits; null when `text` is no IPv6 address (RFC 4291 section 2.2). */
function ipv6Words(text: string): readonly number[] | null {
  if (text.length > 45 || !text.includes(":")) return null;
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head, tail] = halves.map(wordsOf);
  if (head === null || head === undefined || tail === null) return null;
  if (tail === undefined) return head.length === 8 ? head : null;
  const gap = 8 - head.length - tail.length;
  return gap < 1 ? null : [...head, ...Array<number>(gap).fill(0), ...tail];
}

function wordsOf(text: string): readonly number[] | null {
  if (text === "") return [];
  const words: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    const v4 = index === parts.length - 1 ? ipv4Bytes(part) : null;
    if (v4 !== null) {
      const [a = 0, b = 0, c = 0, d = 0] = v4;
      words.push((a << 8) | b, (c << 8) | d);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) words.push(Number.parseInt(part, 16));
    else return null;
  }
  return words;
}
