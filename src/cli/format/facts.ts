/** The facts that are said of a relay everywhere in the same words: online and verified apart, absence as absence. */
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";

export function onlineWord(online: boolean): string {
  return online ? "✓ online" : "✗ offline";
}

export function verifiedWord(verified: boolean): string {
  return verified ? "✓ verified" : "✗ unverified";
}

export function paintOnline(text: string, { online, style }: { online: boolean; style: Style }): string {
  return online ? style.good(text) : style.bad(text);
}

export function paintVerified(
  text: string,
  { verified, style }: { verified: boolean; style: Style },
): string {
  return verified ? style.good(text) : style.warn(text);
}

/** The kind, or that nobody stated one. */
export function authWord(auth: string): string {
  return auth === "unknown" || auth === "" ? "not stated" : auth;
}

export const NOT_STATED = "not stated";

interface Facts {
  readonly online: boolean;
  readonly verified: boolean;
  readonly auth: string;
}

/** `✓ online · ✗ unverified · auth: not stated` */
export function factLine(relay: Facts, style: Style): string {
  return facts(relay, style)
    .map(({ painted }) => painted)
    .join(SEPARATOR);
}

/** The same over as many lines as a narrow terminal needs; no fact is broken. */
export function factLines(
  relay: Facts,
  { style, width }: { readonly style: Style; readonly width: number },
): readonly string[] {
  const lines: { readonly painted: string; readonly columns: number }[] = [];
  for (const { plain, painted } of facts(relay, style)) {
    const last = lines.at(-1);
    const joined = (last?.columns ?? 0) + SEPARATOR.length + plain.length;
    if (last === undefined || joined > width) lines.push({ painted, columns: plain.length });
    else lines[lines.length - 1] = { painted: `${last.painted}${SEPARATOR}${painted}`, columns: joined };
  }
  return lines.map(({ painted }) => painted);
}

const SEPARATOR = " · ";

function facts(relay: Facts, style: Style): readonly { readonly plain: string; readonly painted: string }[] {
  const online = onlineWord(relay.online);
  const verified = verifiedWord(relay.verified);
  const auth = `auth: ${printableLine(authWord(relay.auth))}`;
  return [
    { plain: online, painted: paintOnline(online, { online: relay.online, style }) },
    { plain: verified, painted: paintVerified(verified, { verified: relay.verified, style }) },
    { plain: auth, painted: auth },
  ];
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en-GB")} ${number === 1 ? one : many}`;
}

/** `2 minutes ago`, `in 3 hours`; the text itself when it is no date. */
export function ago(iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const seconds = Math.round((at - now) / 1000);
  const format = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });
  const steps: readonly (readonly [number, Intl.RelativeTimeFormatUnit])[] = [
    [60, "second"],
    [3_600, "minute"],
    [86_400, "hour"],
    [2_592_000, "day"],
    [31_536_000, "month"],
  ];
  let unitSeconds = 1;
  for (const [limit, unit] of steps) {
    if (Math.abs(seconds) < limit) return format.format(Math.round(seconds / unitSeconds), unit);
    unitSeconds = limit;
  }
  return format.format(Math.round(seconds / unitSeconds), "year");
}
