/**
 * A look as a page that is sent while it happens: each step as soon as it is done, then what came of it. Plain HTML in pieces, so that
 * a browser shows it without script. Whoever closes the page ends the look, unless others wait for it too.
 */
import { type Clock, isOpenMcpError, type ProbeStep } from "../../spec/index.ts";
import { MAX_STEPS, PROBLEM_HEAD_START_MS } from "./limits.ts";
import type { Markup } from "./markup.ts";
import { HTML_TYPE, PAGE_HEADERS } from "./policy.ts";
import { stepItem } from "./probe-evidence.ts";

export interface LookStream<T> {
  /** The caller's request, for its signal. */
  readonly request: Request;
  readonly clock: Clock;
  readonly run: (call: {
    readonly signal: AbortSignal;
    readonly onStep: (step: ProbeStep) => void;
  }) => Promise<T>;
  /** Up to the first step. */
  readonly start: Markup;
  /** After the last one. */
  readonly done: (output: T) => Markup;
  readonly failed: (error: unknown) => Markup;
  readonly end: Markup;
  readonly headers?: () => Readonly<Record<string, string>>;
}

/**
 * Answers when the look is under way.
 * @throws what fails before anything was looked at: an input that is none, a budget that is used up.
 */
export async function streamLook<T>(look: LookStream<T>): Promise<Response> {
  const gone = new AbortController();
  const steps = createStepQueue();
  const work = look.run({
    signal: AbortSignal.any([look.request.signal, gone.signal]),
    onStep: steps.push,
  });
  const outcome = work.then(
    (output) => ({ ok: true, output }) as const,
    (error: unknown) => ({ ok: false, error }) as const,
  );
  void outcome.then(steps.end);
  const early = await Promise.race([
    outcome,
    look.clock.sleep(PROBLEM_HEAD_START_MS, gone.signal).then(() => null),
    steps.first.then(() => null),
  ]);
  if (early !== null && !early.ok && !isEvidence(early.error)) throw early.error;

  const encoder = new TextEncoder();
  const parts = partsOf();
  async function* partsOf(): AsyncGenerator<Markup> {
    yield look.start;
    for await (const step of steps) yield stepItem(step);
    const ended = await outcome;
    yield ended.ok ? look.done(ended.output) : look.failed(ended.error);
    yield look.end;
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode((await value).toString()));
    },
    cancel(reason) {
      gone.abort(reason);
    },
  });
  return new Response(body, {
    headers: {
      ...PAGE_HEADERS,
      "content-type": HTML_TYPE,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // Proxies that collect an answer before they pass it on let this one through.
      "x-accel-buffering": "no",
      ...look.headers?.(),
    },
  });
}

/** What was found is shown with how it was found. */
function isEvidence(error: unknown): boolean {
  return isOpenMcpError(error) && error.code === "not-listed";
}

interface StepQueue extends AsyncIterable<ProbeStep> {
  readonly push: (step: ProbeStep) => void;
  readonly end: () => void;
  /** Settled with the first step, or with the end. */
  readonly first: Promise<void>;
}

/** Steps in the order in which they were told; a look with very many is told in part. */
function createStepQueue(): StepQueue {
  const waiting: ProbeStep[] = [];
  const first = Promise.withResolvers<void>();
  let wake = Promise.withResolvers<void>();
  let told = 0;
  let ended = false;
  const ring = (): void => {
    first.resolve();
    wake.resolve();
    wake = Promise.withResolvers();
  };
  return {
    push(step) {
      if (told >= MAX_STEPS) return;
      told += 1;
      waiting.push(step);
      ring();
    },
    end() {
      ended = true;
      ring();
    },
    first: first.promise,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (ended) return;
        else await wake.promise;
      }
    },
  };
}
