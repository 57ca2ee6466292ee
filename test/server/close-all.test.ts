/** A part that can't be closed keeps no other open, and is told of. */
import { expect, it } from "vitest";
import { closeAll } from "../../src/server/close-all.ts";

it.each([{ sideBySide: false }, { sideBySide: true }])(
  "closes all, and throws what failed first: %j",
  async (how) => {
    const closed: string[] = [];
    const part = (name: string) => async () => {
      closed.push(name);
      if (name.startsWith("bad")) throw new Error(name);
    };
    const all = ["first", "bad one", "bad two", "store"].map(part);
    await expect(closeAll(all, how)).rejects.toThrow("bad one");
    expect(closed).toEqual(["first", "bad one", "bad two", "store"]);
    await closeAll([part("last")], how);
  },
);
