/** Relays as a table, or as cards where the terminal is narrow. */
import type { RelaySummary } from "../../spec/index.ts";
import { NARROW_COLUMNS } from "../limits.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { table } from "../terminal/table.ts";
import { truncate } from "../terminal/text-width.ts";
import { authWord, count, factLines, onlineWord, paintOnline, paintVerified, verifiedWord } from "./facts.ts";

export function relayList(
  relays: readonly RelaySummary[],
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  if (width < NARROW_COLUMNS) return relays.map((relay) => card(relay, { style, width })).join("\n\n");
  return table(relays, {
    width,
    paintHeading: style.heading,
    columns: [
      {
        heading: "RELAY",
        cell: (relay) => printableLine(relay.id),
        paint: (text) => style.strong(text),
        least: 16,
      },
      {
        heading: "ONLINE",
        cell: (relay) => onlineWord(relay.online),
        paint: (text, { online }) => paintOnline(text, { online, style }),
      },
      {
        heading: "VERIFIED",
        cell: (relay) => verifiedWord(relay.verified),
        paint: (text, { verified }) => paintVerified(text, { verified, style }),
      },
      { heading: "AUTH", cell: (relay) => printableLine(authWord(relay.auth)), least: 6 },
      { heading: "TOOLS", cell: (relay) => String(relay.tools.length), align: "right" },
      { heading: "NAME", cell: (relay) => printableLine(relay.name ?? "not stated"), least: 10 },
      // Most catalogs have no peers: no column of nothing.
      ...(relays.some((relay) => relay.via !== undefined)
        ? [{ heading: "VIA", cell: (relay: RelaySummary) => printableLine(relay.via ?? ""), least: 8 }]
        : []),
    ],
  });
}

function card(
  relay: RelaySummary,
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  const name = relay.name === null ? "" : `\n  ${truncate(printableLine(relay.name), width - 2)}`;
  return [
    `${style.strong(truncate(printableLine(relay.id), width))}${name}`,
    ...factLines(relay, { style, width: width - 2 }).map((line) => `  ${line}`),
    `  ${count(relay.tools.length, "tool")}`,
    ...(relay.via === undefined ? [] : [truncate(`  via ${printableLine(relay.via)}`, width)]),
  ].join("\n");
}
