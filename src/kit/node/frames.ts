/**
 * Standard input as lines: one frame is one line (MCP "stdio"), whatever pieces it comes in. Pieces are kept until their line ends and
 * put together once; a line that is too long is passed over, so that those behind it are still read.
 */

export interface FramesOptions {
  /** Bytes of a line. */
  readonly maxBytes: number;
  /** A line, with its end. */
  readonly onFrame: (line: Buffer) => void;
  /** Once for each line that was passed over, as soon as it is too long. */
  readonly onTooLong: () => void;
}

export interface Frames {
  write(chunk: Uint8Array): void;
  /** What has come is all: a last line may lack its end. */
  end(): void;
}

const NEWLINE = 0x0a;
const LINE_END = Uint8Array.of(NEWLINE);

export function createFrames({ maxBytes, onFrame, onTooLong }: FramesOptions): Frames {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let passing = false;

  function add(piece: Uint8Array): void {
    size += piece.byteLength;
    if (!passing && size <= maxBytes) {
      pieces.push(piece);
      return;
    }
    if (!passing) onTooLong();
    passing = true;
    pieces = [];
  }

  function finish(): void {
    if (!passing && size > 0) onFrame(Buffer.concat([...pieces, LINE_END]));
    pieces = [];
    size = 0;
    passing = false;
  }

  return {
    write(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        if (at > from) add(chunk.subarray(from, at));
        finish();
        from = at + 1;
      }
      if (from < chunk.byteLength) add(chunk.subarray(from));
    },
    end: finish,
  };
}
