/** A long list waits for the catalog's budget instead of failing in its middle. */
import { describe, expect, it } from "vitest";
import { patiently } from "../../src/cli/patiently.ts";
import { OpenMcpError } from "../../src/spec/index.ts";

const { signal } = new AbortController();
const limited = (retryAfterSeconds?: number) =>
  new OpenMcpError("rate-limited", "later", {
    data: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  });

describe("work that a budget puts off", () => {
  it("is tried again when the catalog said", async () => {
    const waits: number[] = [];
    const answers = [limited(0.001), limited(0.002), "done"];
    const work = async () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    };
    expect(await patiently({ signal, onWait: (seconds) => void waits.push(seconds) }, work)).toBe("done");
    expect(waits).toEqual([0.001, 0.002]);
  });

  it.each([
    ["nobody said when", limited()],
    ["it is too far off", limited(24 * 3_600)],
    ["it failed for another reason", new OpenMcpError("not-listed", "no")],
  ])("fails when %s", async (_why, error) => {
    await expect(patiently({ signal }, () => Promise.reject(error))).rejects.toBe(error);
  });

  it("ends with the signal", async () => {
    const abort = new AbortController();
    const waiting = patiently({ signal: abort.signal, onWait: () => abort.abort() }, () =>
      Promise.reject(limited(60)),
    );
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  });
});
