/** An error and what caused it, first to last. The SDK keeps some causes in its errors' `data`. */
import { isJsonObject } from "../spec/index.ts";

const DEEPEST = 8;

export function* causes(error: unknown): Generator<Error> {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < DEEPEST; depth++) {
    yield at;
    const { data } = at as { data?: unknown };
    at = at.cause ?? (isJsonObject(data) ? data.cause : undefined);
  }
}
