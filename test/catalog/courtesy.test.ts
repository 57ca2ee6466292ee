import { describe, expect, it } from "vitest";
import { createCourtesy } from "../../src/catalog/watch/courtesy.ts";
import { verifies } from "../requirements.ts";

const NEVER = 2 ** 31 - 1;

/** Work that ends when it is told to. */
function work() {
  const done = Promise.withResolvers<void>();
  let began = false;
  return {
    run: async () => {
      began = true;
      await done.promise;
    },
    end: () => done.resolve(),
    get began() {
      return began;
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("courtesy", () => {
  it(
    "lets in as many at a host and in a domain as it was told, in turn",
    verifies("watch.polite"),
    async () => {
      const courtesy = createCourtesy({ perHost: 1, perDomain: 2, slowMs: NEVER });
      const urls = ["a", "a", "b", "c"].map((name) => `https://${name}.example.com/mcp`);
      const works = urls.map(work);
      const other = work();
      const all = urls.map((url, index) => courtesy.run(url, undefined, () => works[index]?.run() ?? turn()));
      const aside = courtesy.run("https://other.example", undefined, other.run);
      await expect.poll(() => other.began).toBe(true);
      const began = () => works.map((one) => one.began);
      expect(began()).toEqual([true, false, true, false]);
      works[0]?.end();
      await all[0];
      await turn();
      expect(began()).toEqual([true, true, true, false]);
      works[2]?.end();
      await all[2];
      await turn();
      expect(began()).toEqual([true, true, true, true]);
      for (const one of [...works, other]) one.end();
      await Promise.all([...all, aside]);
    },
  );

  it("makes room when work fails or turns out slow", verifies("watch.slow"), async () => {
    const courtesy = createCourtesy({ perHost: 1, perDomain: 1, slowMs: 1 });
    const slow = work();
    const hanging = courtesy.run("https://a.example", undefined, slow.run);
    await expect(
      courtesy.run("https://a.example", undefined, () => Promise.reject(new Error("no"))),
    ).rejects.toThrow("no");
    expect(await courtesy.run("https://a.example", undefined, async () => "in")).toBe("in");
    slow.end();
    await hanging;
  });

  it("lets go who gives up, and keeps the turn of the others", async () => {
    const courtesy = createCourtesy({ perHost: 1, perDomain: 1, slowMs: NEVER });
    const [first, second, third] = [work(), work(), work()];
    const one = courtesy.run("https://a.example", undefined, first.run);
    await turn();
    const abort = new AbortController();
    const two = courtesy.run("https://a.example", abort.signal, second.run);
    const three = courtesy.run("https://a.example", new AbortController().signal, third.run);
    await turn();
    abort.abort();
    await expect(two).rejects.toMatchObject({ code: "aborted" });
    first.end();
    await one;
    await turn();
    expect([second.began, third.began]).toEqual([false, true]);
    third.end();
    await three;
  });

  it("keeps nobody waiting who gave up before the place was known", async () => {
    const courtesy = createCourtesy({ perHost: 1, perDomain: 1, slowMs: NEVER });
    const first = work();
    const one = courtesy.run("https://a.example", undefined, first.run);
    await expect.poll(() => first.began).toBe(true);
    const abort = new AbortController();
    const two = courtesy.run("https://a.example", abort.signal, async () => "in");
    abort.abort();
    await expect(two).rejects.toMatchObject({ code: "aborted" });
    first.end();
    await one;
  });
});
