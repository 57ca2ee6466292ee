/** The parts of a server in the fluent form, as they are declared, and how each is registered with the SDK's `McpServer`. */
import {
  type GetPromptResult,
  type Icon,
  type InputRequiredResult,
  type McpServer,
  type ReadResourceResult,
  type ResourceMetadata,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import { type Caller, callerOf } from "../call-scope.ts";
import { type Visible, visibleTo } from "../visibility.ts";
import {
  type PromptOutput,
  promptResult,
  type ResourceOutput,
  resourceResult,
  toolResult,
  type WholeResult,
} from "./results.ts";
import { type AnySchema, compileSchema, type ValueOf } from "./schema.ts";

/** What every handler is told beside its input. */
export interface HandlerContext<User = unknown, State = unknown> extends Caller<User, State> {
  /** Aborts when the caller cancels. */
  readonly signal: AbortSignal;
  /** Tells the caller how far the call is, where it asked for that. */
  progress(done: number, options?: { readonly total?: number; readonly message?: string }): Promise<void>;
  /** The SDK's own context: questions to the caller, log messages, `_meta`. */
  readonly mcp: ServerContext;
}

export interface ToolOptions<Input extends AnySchema | undefined, User> {
  readonly title?: string;
  readonly description?: string;
  readonly input?: Input;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Who sees it; absent: everybody. */
  readonly visible?: Visible<User>;
}

export type ToolHandler<Input, Output, User, State> = (
  input: ValueOf<Input>,
  context: HandlerContext<User, State>,
) => Output | WholeResult | Promise<Output | WholeResult>;

/** The names in a URI template (RFC 6570), `{id}` and `{?query*}`. */
export type VariablesOf<Template extends string> = string extends Template
  ? Record<string, string | string[]>
  : { readonly [Name in NamesOf<Template>]: string };

type NamesOf<Template extends string> = Template extends `${string}{${infer Expression}}${infer Rest}`
  ? Each<Bare<Expression>> | NamesOf<Rest>
  : never;
type Bare<Expression extends string> =
  Expression extends `${"+" | "#" | "." | "/" | ";" | "?" | "&"}${infer Names}` ? Names : Expression;
type Each<Names extends string> = Names extends `${infer First},${infer Rest}`
  ? Single<First> | Each<Rest>
  : Single<Names>;
type Single<Name extends string> = Name extends `${infer Plain}*` ? Plain : Name;

export interface ResourceOptions extends Omit<ResourceMetadata, "icons"> {
  readonly icons?: readonly Icon[];
  /** Of a template: the resources there are, for `resources/list`. */
  readonly list?: (context: HandlerContext) => ListedResources | Promise<ListedResources>;
  /** Of a template: what a variable may be, by its name. */
  readonly complete?: Readonly<Record<string, (value: string) => string[] | Promise<string[]>>>;
}

export type ListedResources = readonly {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
}[];

export type ResourceHandler<Uri extends string, User, State> = (
  resource: { readonly uri: URL; readonly variables: VariablesOf<Uri> },
  context: HandlerContext<User, State>,
) => ResourceOutput | Promise<ResourceOutput>;

export interface PromptOptions<Input extends AnySchema | undefined> {
  readonly title?: string;
  readonly description?: string;
  readonly input?: Input;
  readonly icons?: readonly Icon[];
}

export type PromptHandler<Input, User, State> = (
  input: ValueOf<Input>,
  context: HandlerContext<User, State>,
) => PromptOutput | Promise<PromptOutput>;

/** Declared once, registered with each server that is made. */
export type Part = (mcp: McpServer) => void;

export function toolPart(
  name: string,
  options: ToolOptions<AnySchema | undefined, never> & { readonly output?: AnySchema },
  handler: (input: never, context: never) => unknown,
): Part {
  const { title, description, annotations, icons, meta, visible } = options;
  const inputSchema =
    options.input === undefined ? undefined : compileSchema(options.input, `input of ${name}`);
  const outputSchema =
    options.output === undefined ? undefined : compileSchema(options.output, `output of ${name}`);
  const run = async (input: unknown, context: ServerContext) =>
    toolResult(await handler(input as never, contextOf(context) as never), outputSchema !== undefined);
  const config = defined({
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
    icons: icons === undefined ? undefined : [...icons],
    _meta: meta === undefined ? undefined : { ...meta },
  });
  return (mcp) => {
    const tool =
      inputSchema === undefined
        ? mcp.registerTool(name, config as object, (context: ServerContext) => run(undefined, context))
        : mcp.registerTool(name, config as { inputSchema: StandardSchemaWithJSON }, run);
    if (visible !== undefined) visibleTo(tool, visible);
  };
}

export function resourcePart(
  { name, uri }: { readonly name: string; readonly uri: string },
  { list, complete, icons, ...metadata }: ResourceOptions,
  handler: (resource: never, context: never) => ResourceOutput | Promise<ResourceOutput>,
): Part {
  const config = { ...metadata, ...(icons === undefined ? {} : { icons: [...icons] }) };
  const { mimeType } = metadata;
  const read = async (
    resource: { readonly uri: URL; readonly variables: unknown },
    context: ServerContext,
  ): Promise<ReadResourceResult | InputRequiredResult> =>
    resourceResult(await handler(resource as never, contextOf(context) as never), {
      uri: resource.uri.href,
      mimeType,
    });
  return (mcp) => {
    if (!uri.includes("{")) {
      mcp.registerResource(name, uri, config, (url, context) => read({ uri: url, variables: {} }, context));
      return;
    }
    const template = new ResourceTemplate(uri, {
      list:
        list === undefined
          ? undefined
          : async (context) => ({ resources: [...(await list(contextOf(context)))] }),
      ...(complete === undefined ? {} : { complete: { ...complete } }),
    });
    mcp.registerResource(name, template, config, (url, variables, context) =>
      read({ uri: url, variables }, context),
    );
  };
}

export function promptPart(
  name: string,
  options: PromptOptions<AnySchema | undefined>,
  handler: (input: never, context: never) => PromptOutput | Promise<PromptOutput>,
): Part {
  const { title, description, input, icons } = options;
  // As it is, where it is zod's: the SDK looks into it for completions.
  const argsSchema =
    input === undefined ? undefined : "~standard" in input ? input : compileSchema(input, `input of ${name}`);
  const run = async (
    given: unknown,
    context: ServerContext,
  ): Promise<GetPromptResult | InputRequiredResult> =>
    promptResult(await handler(given as never, contextOf(context) as never), description);
  const config = defined({
    title,
    description,
    argsSchema,
    icons: icons === undefined ? undefined : [...icons],
  });
  return (mcp) => {
    if (argsSchema === undefined) {
      mcp.registerPrompt(name, config as { argsSchema?: undefined }, (context: ServerContext) =>
        run(undefined, context),
      );
    } else mcp.registerPrompt(name, config as object as { argsSchema: StandardSchemaWithJSON }, run);
  };
}

function contextOf(mcp: ServerContext): HandlerContext {
  const token = (mcp.mcpReq._meta as { readonly progressToken?: string | number } | undefined)?.progressToken;
  return {
    ...callerOf(mcp),
    signal: mcp.mcpReq.signal,
    async progress(done, options = {}) {
      if (token === undefined) return;
      const params = { progressToken: token, progress: done, ...options };
      await mcp.mcpReq.notify({ method: "notifications/progress", params });
    },
    mcp,
  };
}

/** Absent stays absent: `undefined` would be listed as a member by some. */
function defined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}
