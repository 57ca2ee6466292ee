/** A connection as the views see it, whether the browser speaks to the server itself or through a catalog. Types only. */
import type { JsonObject, JsonValue } from "../../../src/spec/index.ts";

export interface Tool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly inputSchema: JsonValue;
  readonly outputSchema: JsonValue | null;
  readonly annotations: JsonObject;
  /** As the server lists it. */
  readonly whole: JsonObject;
}

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly mimeType: string | null;
  /** True for one whose URI has parts to fill in (RFC 6570). */
  readonly template: boolean;
}

export interface Prompt {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string | null;
    readonly required: boolean;
  }[];
}

export interface ServerFacts {
  readonly name: string;
  readonly version: string | null;
  readonly protocolVersion: string | null;
  readonly era: "modern" | "legacy" | null;
  readonly instructions: string | null;
  /** As the server states them. */
  readonly capabilities: JsonObject;
}

export interface Progress {
  readonly done: number;
  readonly total: number | null;
  readonly message: string | null;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** A result, exact to the digit where that could be had. */
export interface Outcome {
  readonly result: JsonObject;
}

export interface Link {
  /** "forwarded": a catalog stands between, and passes each frame on as it is. */
  readonly kind: "direct" | "forwarded";
  readonly server: ServerFacts;
  tools(): Promise<readonly Tool[]>;
  callTool(tool: Tool, args: JsonValue, options: CallOptions): Promise<Outcome>;
  resources(): Promise<readonly Resource[]>;
  readResource(uri: string, options: CallOptions): Promise<Outcome>;
  prompts(): Promise<readonly Prompt[]>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, options: CallOptions): Promise<Outcome>;
  /** Values that a prompt's argument or a template's part could have. */
  complete(
    reference: { readonly prompt: string } | { readonly template: string },
    argument: { readonly name: string; readonly value: string },
  ): Promise<readonly string[]>;
  /** Null where the server has no subscriptions. Gives the way to end it. */
  readonly subscribe: ((uri: string) => Promise<() => Promise<void>>) | null;
  /** Null where the server sends no log. */
  readonly setLogLevel: ((level: string) => Promise<void>) | null;
  /** Null in the modern era, which has no such request. */
  readonly ping: (() => Promise<void>) | null;
  close(): Promise<void>;
}

/** Notifications of the server, and what became of the connection. */
export interface Notice {
  readonly at: number;
  readonly method: string;
  readonly params: JsonObject;
}

/** Something that a server wants a person to answer. */
export interface Question {
  readonly kind: "elicitation" | "sampling";
  readonly params: JsonObject;
  /** The server, or the person who stops the call, takes it back. */
  readonly signal: AbortSignal;
}

export interface LinkOptions {
  readonly ask: (question: Question) => Promise<JsonObject>;
  readonly notice: (notice: Notice) => void;
  /** URIs of folders that the server may be told of. */
  readonly roots: () => readonly string[];
  readonly closed: (reason: string) => void;
}
