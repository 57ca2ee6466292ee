import { describe, expect, it } from "vitest";
import { createHostPool } from "../../src/catalog/host-pool.ts";

/** Tasks that end when told, and a log of who runs. */
function workshop() {
  const running = new Map<string, () => void>();
  const started: string[] = [];
  return {
    running,
    started,
    task: (name: string) => () => {
      started.push(name);
      const done = Promise.withResolvers<void>();
      running.set(name, () => {
        running.delete(name);
        done.resolve();
      });
      return done.promise;
    },
    async finish(name: string) {
      running.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("a host pool", () => {
  it("keeps to both bounds, and lets no host hold up another", async () => {
    const shop = workshop();
    const pool = createHostPool({ total: 3, perHost: 1 });
    for (const name of ["a1", "a2", "a3", "b1", "b2", "c1", "d1"]) pool.add(name[0] ?? "", shop.task(name));
    expect([...shop.running.keys()]).toEqual(["a1", "b1", "c1"]);
    expect(pool.size).toBe(7);
    await shop.finish("b1");
    expect([...shop.running.keys()]).toEqual(["a1", "c1", "d1"]);
    await shop.finish("d1");
    await shop.finish("c1");
    // a1 hangs, and only a's own wait for it.
    expect([...shop.running.keys()]).toEqual(["a1", "b2"]);
    await shop.finish("b2");
    await shop.finish("a1");
    await shop.finish("a2");
    let idle = false;
    const waiting = pool.idle().then(() => {
      idle = true;
    });
    expect(idle).toBe(false);
    await shop.finish("a3");
    await waiting;
    expect(shop.started).toEqual(["a1", "b1", "c1", "d1", "b2", "a2", "a3"]);
    expect(pool.size).toBe(0);
    await pool.close();
  });

  it("takes hosts in turn when there is room for few", async () => {
    const shop = workshop();
    const pool = createHostPool({ total: 1, perHost: 1 });
    for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) pool.add(name[0] ?? "", shop.task(name));
    for (let count = 0; count < 6; count += 1) await shop.finish([...shop.running.keys()][0] ?? "");
    expect(shop.started).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  });

  it("drops what waits and breaks off what runs when it is closed", async () => {
    const pool = createHostPool({ total: 1, perHost: 1 });
    let broken = 0;
    const hang = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          broken += 1;
          resolve();
        });
      });
    pool.add("a", hang);
    pool.add("b", hang);
    await Promise.all([pool.close(), pool.close()]);
    pool.add("c", hang);
    expect(broken).toBe(1);
    expect(pool.size).toBe(0);
  });
});
