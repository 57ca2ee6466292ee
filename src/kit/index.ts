/**
 * For who writes an MCP server with the official SDK: served in both eras over HTTP or stdio, with sessions, users, and the documents
 * by which it is found. It adds to the SDK and hides nothing of it. The catalog is not needed, and not imported.
 */
export { type ActingFetch, actingAs } from "./acting-as.ts";
export { type Caller, callerOf, type Era } from "./call-scope.ts";
export type { FromJsonSchema } from "./fluent/json-schema-type.ts";
export type { HandlerContext, PromptOptions, ResourceOptions, ToolOptions } from "./fluent/parts.ts";
export { result } from "./fluent/results.ts";
export { withJsonSchema } from "./fluent/schema.ts";
export { type FluentOptions, type FluentServer, server } from "./fluent/server.ts";
export { logCalls } from "./log-calls.ts";
export type { Middleware, ToolCall, ToolResult } from "./middleware.ts";
export type {
  ExplorerOptions,
  FetchOptions,
  Kit,
  KitDescription,
  Listening,
  ListenOptions,
  Notify,
  OpenApiOptions,
  ServeContext,
  ServeOptions,
  ServerFactory,
  SessionOptions,
} from "./options.ts";
export { serve } from "./serve.ts";
export {
  type BusEvent,
  type BusGap,
  type ChangeEvent,
  createMemoryEventBus,
  type EventBus,
} from "./sessions/event-bus.ts";
export { createMemorySessionStore } from "./sessions/memory-session-store.ts";
export type { Session, SessionState } from "./sessions/session.ts";
export type { SessionRecord, SessionStore } from "./sessions/session-store.ts";
export type { StdioOptions, StdioServer } from "./stdio-options.ts";
export { type TraceCallsOptions, traceCalls } from "./trace-calls.ts";
export type { Authenticate, UserId } from "./users.ts";
export { type Visible, visibleTo } from "./visibility.ts";
