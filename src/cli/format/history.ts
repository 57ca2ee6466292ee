/**
 * A relay's history for people: uptime of three windows, a strip of the last day and month, its spans and the changes of
 * its tools. Unknown time has a sign of its own: it is neither up nor down.
 */
import type { HistoryOutput, StateSpan } from "../../spec/index.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { definitionList } from "../terminal/table.ts";
import { timeOf, toolLines } from "./change.ts";

export interface HistoryView {
  readonly style: Style;
  readonly width: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const MINUTE = 60 * 1_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Columns of a strip: half an hour each of a day, half a day each of a month. */
const STRIP = 48;
const MONTH_STRIP = 60;
const SPANS_SHOWN = 10;
const CHANGES_SHOWN = 10;

export function historyText(history: HistoryOutput, view: HistoryView): string {
  const { style } = view;
  const { uptime, known, spans, latency, toolChanges } = history;
  const windows = [
    ["24 hours", uptime.day, known.day, DAY],
    ["7 days", uptime.week, known.week, 7 * DAY],
    ["30 days", uptime.month, known.month, 30 * DAY],
  ] as const;
  const parts = [
    style.strong(printableLine(history.relay)),
    definitionList(
      windows.map(([label, share, part, window]) => [label, [uptimeWords(share, part, window)]]),
      { paintLabel: style.quiet, indent: "  " },
    ),
    strips(spans, view),
  ];
  const recent = latency.hours.at(-1) ?? latency.days.at(-1);
  if (recent !== undefined && recent.meanMs !== null) {
    parts.push(
      `  Answers in ${recent.meanMs} ms on average, ${recent.slowestMs} ms at most (${recent === latency.days.at(-1) ? "day" : "hour"} from ${timeOf(recent.at)})`,
    );
  }
  if (spans.length > 0)
    parts.push(
      section(
        "States, newest first",
        spans
          .slice(-SPANS_SHOWN)
          .reverse()
          .map((span) => spanLine(span, view)),
        style,
      ),
    );
  if (toolChanges.length > 0) {
    const lines = toolChanges
      .slice(-CHANGES_SHOWN)
      .reverse()
      .flatMap(({ at, ...diff }) => [
        style.quiet(timeOf(at)),
        ...toolLines(diff, style).map((line) => `  ${line}`),
      ]);
    parts.push(section("Changes of its tools, newest first", lines, style));
  }
  return parts.join("\n\n");
}

function section(heading: string, lines: readonly string[], style: Style): string {
  return [style.heading(heading), ...lines.map((line) => `  ${line}`)].join("\n");
}

function uptimeWords(share: number | null, known: number, window: number): string {
  if (share === null) return "nothing is known";
  if (known >= 0.995) return `${percent(share)} online`;
  const watched = known * window;
  return `${percent(share)} online, watched for ${watched < MINUTE ? "less than a minute" : lengthWords(watched)}`;
}

/** Never 100 % for less than all, never 0 % for more than nothing. */
function percent(share: number): string {
  if (share >= 1) return "100 %";
  if (share <= 0) return "0 %";
  const shown = Math.min(99.99, Math.max(0.01, share * 100));
  return `${shown >= 99 || shown < 1 ? shown.toFixed(2) : shown.toFixed(1)} %`;
}

function strips(spans: readonly StateSpan[], view: HistoryView): string {
  const { style, width, now } = view;
  const rows = [
    { label: "last day  ", from: now - DAY, columns: STRIP },
    { label: "last month", from: now - 30 * DAY, columns: MONTH_STRIP },
  ];
  const lines = rows.map(({ label, from, columns }) => {
    const room = Math.max(12, Math.min(columns, width - label.length - 4));
    return `  ${style.quiet(label)}  ${strip(spans, { from, to: now, columns: room, style })}`;
  });
  return [...lines, `  ${style.quiet("█ online   ▄ partly   ▁ offline   · not known")}`].join("\n");
}

function strip(
  spans: readonly StateSpan[],
  window: { readonly from: number; readonly to: number; readonly columns: number; readonly style: Style },
): string {
  const { from, to, columns, style } = window;
  const step = (to - from) / columns;
  const cells = Array.from({ length: columns }, (_, at) => {
    const start = from + at * step;
    const end = start + step;
    let [up, known] = [0, 0];
    for (const span of spans) {
      const ms =
        Math.min(end, span.to === null ? to : Date.parse(span.to)) - Math.max(start, Date.parse(span.from));
      if (ms <= 0) continue;
      known += ms;
      if (span.state === "online") up += ms;
    }
    if (known === 0) return style.quiet("·");
    if (up === known) return style.good("█");
    return up === 0 ? style.bad("▁") : style.warn("▄");
  });
  return cells.join("");
}

function spanLine({ state, from, to }: StateSpan, { style, now }: HistoryView): string {
  const ms = (to === null ? now : Date.parse(to)) - Date.parse(from);
  const word = state === "online" ? style.good(`✓ ${state}`) : style.bad(`✗ ${printableLine(state)}`);
  const until = to === null ? "until now" : `until ${timeOf(to)}`;
  return `${style.quiet(timeOf(from))}  ${word}  ${lengthWords(ms)}, ${until}`;
}

function lengthWords(ms: number): string {
  const steps = [
    [DAY, "day"],
    [HOUR, "hour"],
    [MINUTE, "minute"],
    [1_000, "second"],
  ] as const;
  const [size, unit] = steps.find(([length]) => ms >= length) ?? [1_000, "second"];
  const number = Math.max(0, Math.round(ms / size));
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}
