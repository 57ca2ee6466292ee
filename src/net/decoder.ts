/**
 * Undoes the content codings of a body while it streams (RFC 9110, section 8.4). What comes out is counted by the body
 * queue behind it and stops at its cap, so a bomb costs one chunk more than it may. Unknown codings are
 * passed on as they came: the bytes then fail to be JSON, which is the truth about them.
 */
import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { OpenMcpError } from "../spec/index.ts";
import type { ByteSink } from "./body-queue.ts";
import { maxContentCodings } from "./limits.ts";

/** Asked for when the caller names no codings of its own. */
export const acceptedCodings = "gzip, deflate, br, zstd";

// Truncated trailers are common and lose nothing; a cut body fails where it is parsed.
const lenient = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
const lenientBrotli = {
  flush: zlib.constants.BROTLI_OPERATION_FLUSH,
  finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};
const lenientZstd = { flush: zlib.constants.ZSTD_e_flush, finishFlush: zlib.constants.ZSTD_e_flush };

const decoders: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => zlib.createGunzip(lenient),
  "x-gzip": () => zlib.createGunzip(lenient),
  // RFC 9110, section 8.4.1.2: some servers send the bare deflate data without its zlib wrapper.
  deflate: (first) => ((first & 0x0f) === 8 ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient)),
  br: () => zlib.createBrotliDecompress(lenientBrotli),
  zstd: () => zlib.createZstdDecompress(lenientZstd),
};

/** The codings of a `content-encoding` value, outermost last; empty when there is nothing that we can undo. */
export function codingsOf(contentEncoding: string | undefined): readonly string[] {
  if (contentEncoding === undefined) return [];
  const codings = contentEncoding
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  return codings.every((coding) => Object.hasOwn(decoders, coding)) ? codings : [];
}

/**
 * A sink that decodes into `target`. `onDrain` is called when it can take more, `onFail` when the data is damaged.
 */
export function createDecoder(
  codings: readonly string[],
  { target, onDrain, onFail }: { target: ByteSink; onDrain(): void; onFail(): void },
): ByteSink & { resume(): void } {
  let first: Transform | undefined;
  let last: Transform | undefined;
  const stages: Transform[] = [];

  const damaged = (cause: unknown): void => {
    discard();
    target.fail(
      new OpenMcpError("unreachable", `the answer's ${codings.join(", ")} data is damaged`, {
        data: { reason: "damaged" },
        cause,
      }),
    );
    onFail();
  };

  function discard(): void {
    for (const stage of stages) stage.destroy();
  }

  function open(chunk: Uint8Array): Transform {
    for (const coding of codings.toReversed()) {
      // Only the outermost coding's first byte is known here; an inner deflate is taken to be wrapped.
      const stage = decoders[coding]?.(stages.length === 0 ? (chunk[0] ?? 0) : 8);
      if (stage === undefined) continue;
      stage.on("error", damaged);
      stages.at(-1)?.pipe(stage);
      stages.push(stage);
    }
    last = stages.at(-1);
    last?.on("data", (bytes: Uint8Array) => {
      if (!target.write(bytes)) last?.pause();
    });
    last?.on("end", () => target.end());
    return stages[0] as Transform;
  }

  return {
    write(chunk) {
      if (chunk.length === 0) return true;
      if (first === undefined) {
        if (codings.length > maxContentCodings) {
          damaged(undefined);
          return true;
        }
        first = open(chunk);
        first.on("drain", onDrain);
      }
      return first.destroyed ? true : first.write(chunk);
    },
    end() {
      if (first === undefined) target.end();
      else if (!first.destroyed) first.end();
    },
    fail(error) {
      discard();
      target.fail(error);
    },
    discard,
    resume() {
      last?.resume();
    },
  };
}
