/**
 * Who hears of changes in the legacy era: a session is told that a list changed, and of the resources that it subscribed to. The
 * SDK's `McpServer` has no subscriptions of its own, so they are added here where the server has resources and nobody else
 * answers for them. In the modern era the SDK's `subscriptions/listen` does all of this by itself.
 */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Era } from "./call-scope.ts";
import { MAX_SUBSCRIBED_URI_LENGTH, MAX_SUBSCRIPTIONS_OF_SESSION } from "./limits.ts";
import { type BuiltServer, handlerOf, protocolOf } from "./sdk-internals.ts";
import type { ChangeEvent } from "./sessions/event-bus.ts";

/** Tells the client of one server what it wants to hear. */
export type Teller = (event: ChangeEvent) => void;

/** Makes resources subscribable; before the server is connected. */
export function addSubscriptions(built: BuiltServer, era: Era): Teller {
  const server = protocolOf(built);
  const subscribed = new Set<string>();
  const { resources } = server.getCapabilities();
  if (resources !== undefined && handlerOf(server, "resources/subscribe") === undefined) {
    server.registerCapabilities({ resources: { ...resources, subscribe: true } });
    if (era === "legacy") {
      server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
        if (subscribed.size >= MAX_SUBSCRIPTIONS_OF_SESSION) {
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, "this session has too many subscriptions");
        }
        if (uri.length > MAX_SUBSCRIBED_URI_LENGTH) {
          throw new ProtocolError(
            ProtocolErrorCode.InvalidParams,
            "this URI is too long to be subscribed to",
          );
        }
        subscribed.add(uri);
        return {};
      });
      server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
        subscribed.delete(uri);
        return {};
      });
    }
  }

  return (event) => {
    if (server.transport === undefined) return;
    void tell(event).catch(() => {});
  };

  async function tell(event: ChangeEvent): Promise<void> {
    const { tools, prompts, resources: listed } = server.getCapabilities();
    switch (event.kind) {
      case "tools_list_changed":
        if (tools !== undefined) await server.sendToolListChanged();
        return;
      case "prompts_list_changed":
        if (prompts !== undefined) await server.sendPromptListChanged();
        return;
      case "resources_list_changed":
        if (listed !== undefined) await server.sendResourceListChanged();
        return;
      case "resource_updated":
        if (era === "modern" || subscribed.has(event.uri)) {
          await server.sendResourceUpdated({ uri: event.uri });
        }
    }
  }
}
