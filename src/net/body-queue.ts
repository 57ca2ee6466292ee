/**
 * The body of one answer between the socket and its reader: bounded memory, a cap on bytes, one reader.
 * Chunks that came before a failure are still delivered, as an SSE answer may be in them; after an abort nothing is.
 * A failure that nobody reads is kept, never thrown: no unhandled rejection can come from here.
 */
import { OpenMcpError } from "../spec/index.ts";
import { bodyBufferBytes } from "./limits.ts";

export interface BodyOwner {
  /** The reader has caught up: more may be read from the socket. */
  onDrain(): void;
  /** The reader left, or the body is over its cap: the connection is of no more use. */
  onAbandon(): void;
}

/** Where decoded (or plain) bytes go. */
export interface ByteSink {
  /** False asks to wait until the sink says that it drained. */
  write(chunk: Uint8Array): boolean;
  end(): void;
  fail(error: OpenMcpError): void;
  /** Drops what is still in work, without a word to anyone. */
  discard(): void;
}

const done: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined };

export class BodyQueue implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array, undefined>, ByteSink {
  readonly #owner: BodyOwner;
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #buffered = 0;
  #received = 0;
  #paused = false;
  #over = false;
  #taken = false;
  #error: OpenMcpError | undefined;
  #waiting:
    | { resolve(result: IteratorResult<Uint8Array, undefined>): void; reject(error: unknown): void }
    | undefined;

  constructor(owner: BodyOwner, maxBytes: number) {
    this.#owner = owner;
    this.#maxBytes = maxBytes;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#over) return true;
    if (chunk.length === 0) return true;
    this.#received += chunk.length;
    if (this.#received > this.#maxBytes) {
      this.fail(tooLarge(this.#maxBytes));
      this.#owner.onAbandon();
      return true;
    }
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting.resolve({ done: false, value: chunk });
      return true;
    }
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    this.#paused = this.#buffered >= bodyBufferBytes;
    return !this.#paused;
  }

  end(): void {
    this.#over = true;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(done);
  }

  fail(error: OpenMcpError): void {
    if (this.#over) return;
    this.#over = true;
    this.#error = error;
    if (error.code === "aborted") this.discard();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(error);
  }

  discard(): void {
    this.#chunks = [];
    this.#buffered = 0;
  }

  [Symbol.asyncIterator](): this {
    if (this.#taken) throw new TypeError("the body of an exchange can be read once");
    this.#taken = true;
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#buffered -= chunk.length;
      if (this.#paused && this.#buffered < bodyBufferBytes / 2) {
        this.#paused = false;
        this.#owner.onDrain();
      }
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#over) return Promise.resolve(done);
    if (this.#waiting !== undefined)
      return Promise.reject(new TypeError("read one chunk of a body at a time"));
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** Leaving a `for await` early. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    const open = !this.#over;
    this.end();
    this.#error = undefined;
    this.discard();
    if (open) this.#owner.onAbandon();
    return Promise.resolve(done);
  }
}

/** The error of a body over its cap. `bytes` is the cap. */
export function tooLarge(bytes: number): OpenMcpError {
  const shown = bytes >= 1024 * 1024 ? `${+(bytes / 1024 / 1024).toFixed(1)} MiB` : `${bytes} bytes`;
  return new OpenMcpError("too-large", `the answer is larger than the ${shown} allowed for it`, {
    data: { maxBodyBytes: bytes },
  });
}
