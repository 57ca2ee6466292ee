import { describe, expect, it } from "vitest";
import { createFlights } from "../../src/catalog/flights.ts";

const never = new AbortController().signal;

/** Work that waits to be told. */
function errand() {
  const done = Promise.withResolvers<string>();
  let starts = 0;
  let signal: AbortSignal | undefined;
  return {
    done,
    work(given: AbortSignal) {
      starts += 1;
      signal = given;
      return done.promise;
    },
    starts: () => starts,
    aborted: () => signal?.aborted === true,
  };
}

describe("flights", () => {
  it("share the work of one key, and start anew when it is done", async () => {
    const flights = createFlights();
    const one = errand();
    const both = Promise.all([flights.run("k", never, one.work), flights.run("k", never, one.work)]);
    one.done.resolve("a");
    expect(await both).toEqual(["a", "a"]);
    expect(one.starts()).toBe(1);
    expect(await flights.run("k", never, async () => "b")).toBe("b");
  });

  it("keep keys apart, and hand a failure to all who wait", async () => {
    const flights = createFlights();
    const one = errand();
    const waiting = [flights.run("k", never, one.work), flights.run("k", undefined, one.work)];
    expect(await flights.run("other", never, async () => 1)).toBe(1);
    one.done.reject(new Error("no"));
    for (const each of waiting) await expect(each).rejects.toThrow("no");
  });

  it("go on for those who stay, and break off when nobody does", async () => {
    const flights = createFlights();
    const one = errand();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = flights.run("k", first.signal, one.work);
    const stayed = flights.run("k", second.signal, one.work);
    first.abort();
    await expect(left).rejects.toMatchObject({ code: "aborted" });
    expect(one.aborted()).toBe(false);
    second.abort();
    await expect(stayed).rejects.toMatchObject({ code: "aborted" });
    expect(one.aborted()).toBe(true);
    // Whoever comes now is not given work that is being broken off.
    expect(await flights.run("k", never, async () => "fresh")).toBe("fresh");
    one.done.reject(new Error("broken off"));
  });

  it("start nothing for a caller that is gone already", async () => {
    const one = errand();
    await expect(createFlights().run("k", AbortSignal.abort(), one.work)).rejects.toMatchObject({
      code: "aborted",
    });
    expect(one.starts()).toBe(0);
  });
});
