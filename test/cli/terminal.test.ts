/** Widths, wrapping, tables, colour and progress, without a terminal. */
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printableLine } from "../../src/cli/terminal/printable.ts";
import { createProgress } from "../../src/cli/terminal/progress.ts";
import { createStyle, usesColour } from "../../src/cli/terminal/style.ts";
import { definitionList, table } from "../../src/cli/terminal/table.ts";
import { displayWidth, pad, truncate, wrap } from "../../src/cli/terminal/text-width.ts";

const words = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }).map(printableLine),
  fc
    .array(fc.constantFrom("日本", "👩‍👩‍👧", "e\u0301", "plain", "a"), { maxLength: 20 })
    .map((parts) => parts.join(" ")),
);

describe("text by display width", () => {
  it("counts wide characters as two columns, marks and joined emoji as part of one", () => {
    expect(["日本", "e\u0301", "👩‍👩‍👧", "abc", ""].map(displayWidth)).toEqual([4, 1, 2, 3, 0]);
  });

  it("cuts to the width, whole graphemes only, with an ellipsis", () => {
    expect(truncate("日本語です", 6)).toBe("日本…");
    expect(truncate("👩‍👩‍👧👩‍👩‍👧", 3)).toBe("👩‍👩‍👧…");
    expect(truncate("short", 5)).toBe("short");
    expect(truncate("endless", Number.POSITIVE_INFINITY)).toBe("endless");
    fc.assert(
      fc.property(
        words,
        fc.integer({ min: 2, max: 40 }),
        (text, width) => displayWidth(truncate(text, width)) <= width,
      ),
    );
  });

  it("wraps within the width and loses no word", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 40 }), (text, width) => {
        const lines = wrap(text, width);
        // What is one sign to a reader is not broken, though some are wider than such a line.
        const isOne = (line: string) => [...new Intl.Segmenter().segment(line)].length === 1;
        expect(lines.every((line) => displayWidth(line) <= width || isOne(line))).toBe(true);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
    );
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("\u{1d158}\u{1d165}\u{1d16e}", 2)).toHaveLength(1);
    expect(wrap("a\n\nb", 10)).toEqual(["a", "", "b"]);
  });

  it("pads by columns", () => {
    expect(pad("日", 4)).toBe("日  ");
    expect(pad("7", 3, "right")).toBe("  7");
  });
});

describe("tables", () => {
  const rows = [
    { id: "日本.example", count: 7, text: "A rather long description that a narrow terminal can't hold" },
    { id: "b", count: 1_234, text: "short" },
  ];
  const draw = (width: number, colour = false): string =>
    table(rows, {
      width,
      paintHeading: createStyle(colour).heading,
      columns: [
        { heading: "ID", cell: (row) => row.id, paint: createStyle(colour).good },
        { heading: "COUNT", cell: (row) => String(row.count), align: "right" },
        { heading: "TEXT", cell: (row) => row.text, least: 8 },
      ],
    });

  it("align by display width", () => {
    expect(draw(Number.POSITIVE_INFINITY)).toBe(
      [
        "ID            COUNT  TEXT",
        "日本.example      7  A rather long description that a narrow terminal can't hold",
        "b              1234  short",
      ].join("\n"),
    );
  });

  it("fit the terminal by cutting the flexible column only, down to its least", () => {
    for (const width of [78, 50, 40, 29]) {
      expect(Math.max(...draw(width).split("\n").map(displayWidth))).toBeLessThanOrEqual(width);
    }
    expect(draw(10)).toContain("A rathe…");
    expect(draw(10)).toContain("日本.example");
  });

  it("are the same with colour, but for the colour", () => {
    expect(draw(40, true)).not.toBe(draw(40));
    expect(stripVTControlCharacters(draw(40, true))).toBe(draw(40));
  });

  it("put labels before values", () => {
    expect(
      definitionList(
        [
          ["A", ["1"]],
          ["Longer", ["2", "3"]],
        ],
        { paintLabel: (text) => text, indent: " " },
      ),
    ).toBe([" A       1", " Longer  2", "         3"].join("\n"));
  });
});

describe("colour", () => {
  it.each([
    [{ wanted: true, env: {}, isTerminal: true }, true],
    [{ wanted: true, env: {}, isTerminal: false }, false],
    [{ wanted: false, env: { FORCE_COLOR: "1" }, isTerminal: true }, false],
    [{ wanted: true, env: { NO_COLOR: "1" }, isTerminal: true }, false],
    [{ wanted: true, env: { NO_COLOR: "1", FORCE_COLOR: "1" }, isTerminal: true }, false],
    [{ wanted: true, env: { NO_COLOR: "" }, isTerminal: true }, true],
    [{ wanted: true, env: { FORCE_COLOR: "1" }, isTerminal: false }, true],
    [{ wanted: true, env: { FORCE_COLOR: "0" }, isTerminal: true }, false],
    [{ wanted: true, env: { TERM: "dumb" }, isTerminal: true }, false],
  ])("%j: %s", (question, expected) => {
    expect(usesColour(question)).toBe(expected);
  });
});

describe("progress", () => {
  const style = createStyle(false);
  const stream = (more: object) => {
    const written: string[] = [];
    return { written, write: (text: string) => written.push(text), ...more };
  };

  it("rewrites one line on a terminal and wipes it at the end", () => {
    const terminal = stream({ isTTY: true, columns: 20 });
    const progress = createProgress(terminal, { silent: false, style });
    progress.update("Probing 1/2, which is a long line");
    progress.settle("✓ done");
    progress.close();
    progress.close();
    progress.update("late");
    expect(terminal.written[0]).toBe("\r\u001b[2K⠋ Probing 1/2, whi…");
    expect(terminal.written[1]).toBe("\r\u001b[2K✓ done\n");
    expect(terminal.written.at(-1)).toBe("\r\u001b[2K");
    expect(terminal.written.join("")).not.toContain("late");
  });

  it("writes settled lines only where there is no terminal, and nothing for machines", () => {
    const pipe = stream({});
    const progress = createProgress(pipe, { silent: false, style });
    progress.update("Probing");
    progress.settle("✓ done");
    progress.close();
    expect(pipe.written).toEqual(["✓ done\n"]);
    const machine = stream({ isTTY: true, columns: 80 });
    const silent = createProgress(machine, { silent: true, style });
    silent.update("Probing");
    silent.settle("✓ done");
    silent.close();
    expect(machine.written).toEqual([]);
  });
});
