/**
 * Live progress on standard error: one line that is rewritten on a terminal, plain lines elsewhere, nothing for machines.
 * Ends by wiping its line, so that what follows starts clean.
 */
import type { Style } from "./style.ts";
import { truncate } from "./text-width.ts";

export interface Progress {
  /** The state now, one printable line. */
  update(line: string): void;
  /** A line that stays. */
  settle(line: string): void;
  /** Idempotent. */
  close(): void;
}

export interface ProgressStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export function createProgress(
  stream: ProgressStream,
  options: { readonly silent: boolean; readonly style: Style },
): Progress {
  if (options.silent) return { update() {}, settle() {}, close() {} };
  if (stream.isTTY !== true) {
    return { update() {}, settle: (line) => void stream.write(`${line}\n`), close() {} };
  }
  let shown = "";
  let frame = 0;
  let closed = false;
  const draw = (): void => {
    const mark = FRAMES[frame++ % FRAMES.length] as string;
    stream.write(`\r\u001b[2K${options.style.accent(mark)} ${truncate(shown, (stream.columns || 80) - 3)}`);
  };
  const timer = setInterval(() => {
    if (shown !== "") draw();
  }, 100);
  timer.unref();
  return {
    update(line) {
      if (closed) return;
      shown = line;
      draw();
    },
    settle(line) {
      stream.write(`${shown === "" ? "" : "\r\u001b[2K"}${line}\n`);
      if (shown !== "" && !closed) draw();
    },
    close() {
      if (closed) return;
      closed = true;
      clearInterval(timer);
      if (shown !== "") stream.write("\r\u001b[2K");
    },
  };
}
