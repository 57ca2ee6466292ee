/**
 * Colour as an extra, never as the only sign: every state has a mark and a word too. Whether a stream gets colour follows
 * `--no-color`, NO_COLOR (no-color.org), FORCE_COLOR, TERM=dumb and whether it is a terminal, in this order.
 */
import { styleText } from "node:util";

export interface Style {
  heading(text: string): string;
  strong(text: string): string;
  quiet(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  accent(text: string): string;
}

export interface ColourQuestion {
  /** False after `--no-color`. */
  readonly wanted: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}

export function usesColour({ wanted, env, isTerminal }: ColourQuestion): boolean {
  if (!wanted) return false;
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (env.TERM === "dumb") return false;
  return isTerminal;
}

export function createStyle(colour: boolean): Style {
  const paint = (format: Parameters<typeof styleText>[0]) =>
    colour
      ? (text: string) => (text === "" ? "" : styleText(format, text, { validateStream: false }))
      : (text: string) => text;
  return {
    heading: paint("bold"),
    strong: paint("bold"),
    quiet: paint("dim"),
    good: paint("green"),
    bad: paint("red"),
    warn: paint("yellow"),
    accent: paint("cyan"),
  };
}
