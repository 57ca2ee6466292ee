/**
 * One text that may go by several media types (RFC 9110 section 12.5.1): the one that `Accept` names, the first of them unless it does.
 * A range (`any type`, `application/*`) names none, and nobody is refused: the bytes are the same.
 */

/** The named type of the highest weight, of equals the first named; `types[0]` when none is. */
export function preferredType(accept: string | null, types: readonly [string, ...string[]]): string {
  let best: { readonly type: string; readonly weight: number } | null = null;
  for (const part of (accept ?? "").split(",")) {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const type = types.find((known) => known === range);
    const weight = weightOf(parameters);
    if (type !== undefined && weight > (best?.weight ?? 0)) best = { type, weight };
  }
  return best?.type ?? types[0];
}

function weightOf(parameters: readonly string[]): number {
  const stated = parameters.find((parameter) => parameter.startsWith("q="));
  const weight = stated === undefined ? 1 : Number(stated.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 1;
}
