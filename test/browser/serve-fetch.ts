/** A fetch on a socket of this machine, for browsers: they ask no function. */
import { serve } from "@hono/node-server";

export interface Served extends AsyncDisposable {
  readonly url: string;
}

/** `make` is given the URL that it will be reached at. */
export async function serveFetch(
  make: (url: string) => (request: Request) => Response | Promise<Response>,
): Promise<Served> {
  let door: ((request: Request) => Response | Promise<Response>) | null = null;
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = serve(
    {
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => door?.(request) ?? new Response(null, { status: 503 }),
    },
    ({ port }) => resolve(port),
  );
  const url = `http://127.0.0.1:${await promise}`;
  door = make(url);
  return {
    url,
    [Symbol.asyncDispose]: () => new Promise((done) => server.close(() => done())),
  };
}
