/**
 * Several doors behind one `fetch(Request)`: the first whose prefix is the path, or a folder of it, answers.
 * No second router: a prefix is a comparison of strings, and each door keeps its own 404 and 405.
 */

/** A door as seen from outside. `env` is what the adapter hands on; doors that don't need it ignore it. */
export type Door = (request: Request, env?: unknown) => Response | Promise<Response>;

/** Whose budgets a request draws on, from the request and `env`; null: nobody's. */
export type ClientOf = (request: Request, env: unknown) => string | null;

export interface Mounts {
  /** Path prefixes such as `/v1`, without a trailing slash; tried in this order. */
  readonly doors: readonly (readonly [prefix: string, door: Door])[];
  /** Answers every other path. */
  readonly otherwise: Door;
}

export function mountDoors({ doors, otherwise }: Mounts): Door {
  return (request, env) => {
    const path = pathOf(request.url);
    for (const [prefix, door] of doors) {
      if (
        path.startsWith(prefix) &&
        (path.length === prefix.length || path.charCodeAt(prefix.length) === 0x2f)
      ) {
        return door(request, env);
      }
    }
    return otherwise(request, env);
  };
}

/** The path of an absolute URL without parsing it whole. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start === -1) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}
