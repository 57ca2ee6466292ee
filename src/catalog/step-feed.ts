/**
 * The steps of looks that are under way, for all who wait for one: a person who joins a registration that somebody else began hears
 * its earlier steps first. Nothing is kept of a look that has ended.
 */
import type { ProbeStep } from "../spec/index.ts";
import type { Flights } from "./flights.ts";

export type OnStep = (step: ProbeStep) => void;

export interface StepFeed {
  /** Tells `listener` the steps of the work under `key`, past ones too, until the returned function is called. */
  follow(key: string, listener: OnStep): () => void;
  /** Runs `work`, which tells its steps; whoever follows `key` hears them. */
  during<T>(key: string, work: (tell: OnStep) => Promise<T>): Promise<T>;
}

interface Channel {
  readonly past: ProbeStep[];
  readonly listeners: Set<OnStep>;
  works: number;
}

export function createStepFeed(): StepFeed {
  const channels = new Map<string, Channel>();

  function channelOf(key: string): Channel {
    const known = channels.get(key);
    if (known !== undefined) return known;
    const fresh: Channel = { past: [], listeners: new Set(), works: 0 };
    channels.set(key, fresh);
    return fresh;
  }

  function leave(key: string, channel: Channel): void {
    if (channel.works === 0) channel.past.length = 0;
    if (channel.works === 0 && channel.listeners.size === 0) channels.delete(key);
  }

  return {
    follow(key, listener) {
      const channel = channelOf(key);
      for (const step of channel.past) listener(step);
      channel.listeners.add(listener);
      return () => {
        channel.listeners.delete(listener);
        leave(key, channel);
      };
    },
    async during(key, work) {
      const channel = channelOf(key);
      channel.works += 1;
      try {
        return await work((step) => {
          channel.past.push(step);
          for (const listener of channel.listeners) listener(step);
        });
      } finally {
        channel.works -= 1;
        leave(key, channel);
      }
    },
  };
}

/** Joins the work under way for `key`, or starts it, and tells `onStep` its steps either way. */
export async function withSteps<T>(
  { probes, steps }: { readonly probes: Flights; readonly steps: StepFeed },
  {
    key,
    signal,
    onStep,
  }: { readonly key: string; readonly signal: AbortSignal; readonly onStep?: OnStep | undefined },
  work: (signal: AbortSignal, onStep: OnStep) => Promise<T>,
): Promise<T> {
  const stop = onStep === undefined ? null : steps.follow(key, onStep);
  try {
    return await probes.run(key, signal, (joint) => steps.during(key, (tell) => work(joint, tell)));
  } finally {
    stop?.();
  }
}
