/** An answer whose body goes on through a stream of ours: what every such stream has to do when it ends, and the plain one. */

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** A stream's source, but for its end, which is here. */
interface Source {
  start?(controller: ReadableStreamDefaultController<Uint8Array>): void;
  pull?(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void>;
}

export interface Passage {
  /** How pieces go on; `end` tells once that the body has ended. */
  readonly source: (reader: Reader, end: () => void) => Source;
  readonly strategy?: QueuingStrategy<Uint8Array>;
}

/** The same answer with its body rebuilt; `onEnd` is called once, when its body has ended, its reader is gone, or `source` says so. */
export function rebuiltBody(response: Response, onEnd: () => void, { source, strategy }: Passage): Response {
  const { body } = response;
  if (body === null) {
    onEnd();
    return response;
  }
  const reader = body.getReader();
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    onEnd();
  };
  const rebuilt = new ReadableStream<Uint8Array>(
    {
      ...source(reader, end),
      async cancel(reason) {
        end();
        await reader.cancel(reason).catch(() => {});
      },
    },
    strategy,
  );
  return new Response(rebuilt, { status: response.status, headers: response.headers });
}

/** The same answer; `onEnd` is called once, when its body has ended or its reader is gone. */
export function watchBody(response: Response, onEnd: () => void): Response {
  return rebuiltBody(response, onEnd, {
    source: (reader, end) => ({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (value !== undefined) controller.enqueue(value);
          if (!done) return;
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
    }),
  });
}
