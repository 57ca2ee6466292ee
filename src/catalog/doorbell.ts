/** A bell that is heard also by who comes later: for loops that wait for work. Knows nothing of the work. */

export interface Doorbell {
  readonly ring: () => void;
  /** Resolves at the next ring, at once when it rang since the last time, and when the signal fires. */
  rung(): Promise<void>;
}

export function createDoorbell(signal: AbortSignal): Doorbell {
  let pending = false;
  let answer: (() => void) | null = null;
  const ring = (): void => {
    pending = true;
    answer?.();
  };
  signal.addEventListener("abort", ring, { once: true });
  return {
    ring,
    async rung() {
      if (!pending) {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      }
      pending = false;
      answer = null;
    },
  };
}
