/** Names that someone may have meant: for errors that help. Pure. */

/** At most `limit` of `names` that are near `wanted`, nearest first: the same words, a part, or few letters apart. */
export function nearNames(wanted: string, names: readonly string[], limit = 3): readonly string[] {
  const key = fold(wanted);
  if (key === "") return [];
  const most = Math.max(2, Math.floor(key.length / 4));
  return names
    .map((name) => ({ name, distance: distance(key, fold(name), most) }))
    .filter((near) => near.distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map((near) => near.name);
}

/** Letters and digits only, so that `getJob`, `get-job` and `get_job` are one. Long names are judged by their start. */
function fold(name: string): string {
  return name
    .slice(0, 80)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

function distance(a: string, b: string, most: number): number {
  if (a === b) return 0;
  if (a.length > 3 && b.length > 3 && (a.includes(b) || b.includes(a))) return 1;
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + change));
    }
    row = next;
  }
  return row[b.length] ?? most + 1;
}
