/**
 * The short form: a server's tools, resources and prompts in one expression, typed from their schemas, served by `serve`. It is thin:
 * each call makes the SDK's `McpServer` of the same declarations, and `build()` gives it to whoever wants it bare.
 */
import { type Icon, McpServer, type McpServerOptions } from "@modelcontextprotocol/server";
import type { Middleware } from "../middleware.ts";
import type { Kit, Listening, ListenOptions, ServeOptions } from "../options.ts";
import { type Prepared, prepare } from "../serve.ts";
import type { StdioOptions, StdioServer } from "../stdio-options.ts";
import {
  type Part,
  type PromptHandler,
  type PromptOptions,
  promptPart,
  type ResourceHandler,
  type ResourceOptions,
  resourcePart,
  type ToolHandler,
  type ToolOptions,
  toolPart,
} from "./parts.ts";
import type { PlainOutput } from "./results.ts";
import { type AnySchema, sharedValidator, type ValueOf } from "./schema.ts";

export interface FluentOptions<User, State> extends Omit<ServeOptions<User, State>, "server" | "middleware"> {
  /** What the model is told of the server. */
  readonly instructions?: string;
  readonly title?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
  /** The SDK's own options of a server: cache hints, how a `requestState` is checked, limits. */
  readonly mcp?: Omit<McpServerOptions, "instructions">;
}

/** A server as it is declared so far. Each method gives another; none changes this one. */
export interface FluentServer<User, State> {
  /**
   * A tool. Its handler gets the input as its schema reads it. With `output` it gives that, or a whole `result()`; without, a text,
   * content, the protocol's own result, or nothing.
   */
  tool<
    const Input extends AnySchema | undefined = undefined,
    const Output extends AnySchema | undefined = undefined,
    const Given extends OutputOf<Output> = OutputOf<Output>,
  >(
    name: string,
    options: ToolOptions<Input, User> & { readonly output?: Output },
    handler: ToolHandler<Input, Given, User, State>,
  ): FluentServer<User, State>;
  /** A resource, or with `{variables}` in its URI a template of them. */
  resource<const Uri extends string>(
    name: string,
    uri: Uri,
    options: ResourceOptions,
    handler: ResourceHandler<Uri, User, State>,
  ): FluentServer<User, State>;
  /** A prompt: a text is the user's message. */
  prompt<const Input extends AnySchema | undefined = undefined>(
    name: string,
    options: PromptOptions<Input>,
    handler: PromptHandler<Input, User, State>,
  ): FluentServer<User, State>;
  /** A layer round every tool call, inside of those before it. */
  use(layer: Middleware<User, State>): FluentServer<User, State>;
  /** The SDK's own server, as it would serve one caller who sees everything. */
  build(): McpServer;
  /** What `serve` gives; always the same. */
  serve(): Kit;
  readonly fetch: Kit["fetch"];
  listen(options?: ListenOptions | number): Promise<Listening>;
  serveStdio(options?: StdioOptions): Promise<StdioServer>;
}

/** What is given is only written out, so that what can't be changed will do: a handler's literals keep their types by it. */
type Frozen<Value> = Value extends (...given: never) => unknown
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

type FrozenPlain = Frozen<PlainOutput>;
type OutputOf<Output> = Output extends AnySchema ? Frozen<ValueOf<Output>> : FrozenPlain;

interface Declared {
  readonly parts: readonly Part[];
  readonly layers: readonly Middleware[];
}

/**
 * A server in the short form.
 * @example
 * ```ts
 * import { server } from "openmcp/kit";
 * import { z } from "zod";
 *
 * await server("greet", "1.0.0")
 *   .tool("greet", { input: z.object({ name: z.string() }) }, ({ name }) => `Hello, ${name}!`)
 *   .listen(8080);
 * ```
 */
export function server<User = undefined, State = null>(
  name: string,
  version: string,
  options: FluentOptions<User, State> = {},
): FluentServer<User, State> {
  const { instructions, title, websiteUrl, icons, mcp: more, ...served } = options;
  const info = {
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(icons === undefined ? {} : { icons: [...icons] }),
    ...(served.description?.description === undefined ? {} : { description: served.description.description }),
  };

  function fluent({ parts, layers }: Declared): FluentServer<User, State> {
    let prepared: Prepared | null = null;
    const build = (): McpServer => {
      const mcp = new McpServer(info, {
        jsonSchemaValidator: sharedValidator,
        ...more,
        capabilities: { logging: {}, ...more?.capabilities },
        ...(instructions === undefined ? {} : { instructions }),
      });
      for (const part of parts) part(mcp);
      return mcp;
    };
    const prepareIt = (): Prepared => {
      prepared ??= prepare<User, State>({
        ...served,
        description: { ...info, ...served.description, name: served.description?.name ?? name },
        middleware: layers as readonly Middleware<User, State>[],
        server: build,
      });
      return prepared;
    };
    const serveIt = (): Kit => {
      const { kit, check } = prepareIt();
      check();
      return kit;
    };
    const also = (part: Part) => fluent({ parts: [...parts, part], layers });
    return {
      tool: (called: string, given: object, handler: (input: never, context: never) => unknown) =>
        also(toolPart(called, given as never, handler)),
      resource: (called, uri, given, handler) => also(resourcePart({ name: called, uri }, given, handler)),
      prompt: (called, given, handler) => also(promptPart(called, given as never, handler)),
      use: (layer) => fluent({ parts, layers: [...layers, layer as Middleware] }),
      build,
      serve: serveIt,
      fetch: (request, more) => serveIt().fetch(request, more),
      listen: (given) => serveIt().listen(given),
      serveStdio: (given) => prepareIt().kit.serveStdio(given),
    };
  }
  return fluent({ parts: [], layers: [] });
}
