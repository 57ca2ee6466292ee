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
    const { url } = request;
    const start = pathStart(url);
    for (const [prefix, door] of doors) {
      if (url.startsWith(prefix, start) && endsSegment(url, start + prefix.length)) return door(request, env);
    }
    return otherwise(request, env);
  };
}

/** Where the path of an absolute URL begins; its end when it has none. */
function pathStart(url: string): number {
  const authority = url.indexOf("://") + 3;
  const slash = url.indexOf("/", authority);
  const query = url.indexOf("?", authority);
  if (slash === -1 || (query !== -1 && query < slash)) return url.length;
  return slash;
}

function endsSegment(url: string, at: number): boolean {
  return at === url.length || url[at] === "/" || url[at] === "?" || url[at] === "#";
}
