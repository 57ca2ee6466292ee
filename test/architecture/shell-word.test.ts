/**
 * Three places quote a word for a shell: the command line, the directory's pages and the Explorer. They share no room that is not
 * public (`spec` is, and the Explorer may enter no other), so each has its one line, and here they are held to be the same line.
 */
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { shellWord as onTheCommandLine } from "../../src/cli/format/tool-signature.ts";
import { shellWord as inPages } from "../../src/doors/pages/how-to-call.ts";
import { shellWord as inTheExplorer } from "../../web/explorer/copy/commands.ts";

it("a shell reads each word as it was, and all three write it alike", () => {
  const words = [
    ...[
      "",
      "plain",
      "a b",
      "it's",
      "$HOME",
      "`id`",
      "a\\b",
      "!x",
      "*",
      "~",
      "#a",
      "a=b",
      "-n",
      '"',
      "ü",
      "a\nb",
    ],
    ...fc.sample(fc.string({ maxLength: 20 }), 100).filter((word) => !word.includes("\0")),
  ];
  for (const word of words) {
    expect([inPages(word), inTheExplorer(word)], word).toEqual([
      onTheCommandLine(word),
      onTheCommandLine(word),
    ]);
  }
  const line = `printf '%s\\0' ${words.map(onTheCommandLine).join(" ")}`;
  expect(execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual(words);
});
