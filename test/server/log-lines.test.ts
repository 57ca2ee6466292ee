import { expect, it } from "vitest";
import { createLog } from "../../src/server/index.ts";

it("a line for a person is not turned round or broken by a relay's text", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", human: true, write: (line) => void lines.push(line) });
  log.warn({ relay: "a\u202eexe.b\u2028c\u200bd" }, "down");
  expect(lines[0]).toMatch(/^\S+ warn {2}down relay=a exe\.b c d\n$/);
});
