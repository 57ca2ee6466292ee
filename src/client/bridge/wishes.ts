/**
 * What a host asked of a session that lasts beyond the answer: the level of the log, and resources whose changes it is told of (MCP
 * 2025-11-25 "Logging", "Resources"). A session begun anew knows of none.
 */
import type { JsonObject } from "../../spec/index.ts";
import { MAX_REPEATED_SUBSCRIPTIONS } from "../limits.ts";
import type { RequestFrame } from "./frames.ts";

export type Wish = Pick<RequestFrame, "method" | "params">;

export interface Wishes {
  /** Told of each request that the server answered with a result. */
  granted(request: Wish): void;
  /** In their order. */
  all(): readonly Wish[];
}

export function createWishes(): Wishes {
  let level: JsonObject | null = null;
  const subscriptions = new Map<string, JsonObject>();
  return {
    granted({ method, params }) {
      const uri = String(params.uri);
      if (method === "logging/setLevel") level = params;
      else if (method === "resources/unsubscribe") subscriptions.delete(uri);
      else if (method === "resources/subscribe" && subscriptions.size < MAX_REPEATED_SUBSCRIPTIONS) {
        subscriptions.set(uri, params);
      }
    },
    all: () => [
      ...(level === null ? [] : [{ method: "logging/setLevel", params: level }]),
      ...[...subscriptions.values()].map((params) => ({ method: "resources/subscribe", params })),
    ],
  };
}
