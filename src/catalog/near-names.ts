/** Names that someone may have meant: for errors that help. Pure. */
import { distance } from "../search/index.ts";
import { MAX_LETTERS_APART, MAX_NEAR_CHARS } from "./limits.ts";

/** At most `limit` of `names` that are near `wanted`, nearest first: the same words, a part, or few letters apart. */
export function nearNames(wanted: string, names: readonly string[], limit = 3): readonly string[] {
  const key = fold(wanted);
  if (key === "") return [];
  const most = Math.min(Math.max(2, Math.floor(key.length / 4)), MAX_LETTERS_APART);
  return names
    .map((name) => ({ name, distance: apart(key, fold(name), most) }))
    .filter((near) => near.distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map((near) => near.name);
}

/** Letters and digits only, so that `getJob`, `get-job` and `get_job` are one. Long names are judged by their start. */
function fold(name: string): string {
  return name
    .slice(0, MAX_NEAR_CHARS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

function apart(a: string, b: string, most: number): number {
  if (a === b) return 0;
  if (a.length > 3 && b.length > 3 && (a.includes(b) || b.includes(a))) return 1;
  return distance(a, b, most);
}
