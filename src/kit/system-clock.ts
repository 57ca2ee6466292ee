/** The machine's clock. Its sleepers keep no process alive. */
import type { Clock } from "../spec/index.ts";

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const timer: unknown = setTimeout(done, ms);
      (timer as { unref?: () => void }).unref?.();
      signal?.addEventListener("abort", stop, { once: true });
      function done(): void {
        signal?.removeEventListener("abort", stop);
        resolve();
      }
      function stop(): void {
        clearTimeout(timer as ReturnType<typeof setTimeout>);
        reject(signal?.reason);
      }
    }),
};
