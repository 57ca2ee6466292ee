/** Fake relays in as many processes as their listening sockets need. */
import { FARM_LISTENERS } from "../../src/testing/limits.ts";
import { type Child, startChild } from "./child.ts";

export interface Relays extends AsyncDisposable {
  readonly urls: readonly string[];
  readonly tools: number;
  readonly source: string;
  /** Changes the pause before every answer; gives the requests answered so far. */
  delay(ms: number): Promise<number>;
}

export interface RelaysOptions {
  readonly callDelayMs?: number;
  readonly first?: number;
  /** Seconds for which a descriptor says that it is fresh. */
  readonly freshSeconds?: number;
}

interface Ready {
  readonly urls: readonly string[];
  readonly source: string;
}

/** Up to 5,000 relays with ten tools each; beyond that ten and five in turn: 20,000 relays have 150,000. */
export async function startRelays(
  size: number,
  { callDelayMs = 0, first = 0, freshSeconds = 0 }: RelaysOptions = {},
): Promise<Relays> {
  const odd = size > 5_000 ? 5 : 10;
  const children: Child<Ready>[] = [];
  for (let done = 0; done < size; done += FARM_LISTENERS) {
    const count = Math.min(FARM_LISTENERS, size - done);
    children.push(
      await startChild<Ready>(
        "farm.ts",
        [first + done, count, 10, odd, callDelayMs, freshSeconds].map(String),
      ),
    );
  }
  return {
    urls: children.flatMap((child) => child.ready.urls),
    tools: Math.ceil(size / 2) * 10 + Math.floor(size / 2) * odd,
    source: children[0]?.ready.source ?? "none",
    async delay(delayMs) {
      const answers = await Promise.all(
        children.map((child) => child.ask<{ answered: number }>({ delayMs })),
      );
      return answers.reduce((sum, { answered }) => sum + answered, 0);
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) await child[Symbol.asyncDispose]();
    },
  };
}
