/** Tells of changes: onto the bus, and from it to every client of this process. */
import type { Logger } from "../spec/index.ts";
import type { Notify } from "./options.ts";
import type { BusEvent, ChangeEvent, EventBus } from "./sessions/event-bus.ts";

export interface OwnedNotify extends Notify {
  /** Hears too; what it gives ends that. */
  also(tell: (event: ChangeEvent) => void): () => void;
  close(): Promise<void>;
}

const KINDS: ReadonlySet<string> = new Set<ChangeEvent["kind"]>([
  "tools_list_changed",
  "prompts_list_changed",
  "resources_list_changed",
  "resource_updated",
]);

export function createNotify(bus: EventBus, { logger }: { readonly logger: Logger }): OwnedNotify {
  const tellers = new Set<(event: ChangeEvent) => void>();
  const failed = (error: unknown): void => logger.error({ err: error }, "the bus of changes failed");
  const hearing = bus.subscribe((event) => {
    if (!isChange(event)) return;
    for (const one of tellers) one(event);
  });
  hearing.catch(failed);
  const publish = (event: ChangeEvent): void => void hearing.then(() => bus.publish(event)).catch(failed);
  return {
    toolsChanged: () => publish({ kind: "tools_list_changed" }),
    promptsChanged: () => publish({ kind: "prompts_list_changed" }),
    resourcesChanged: () => publish({ kind: "resources_list_changed" }),
    resourceUpdated: (uri) => publish({ kind: "resource_updated", uri }),
    also(one) {
      tellers.add(one);
      return () => void tellers.delete(one);
    },
    async close() {
      tellers.clear();
      await hearing.then((stop) => stop()).catch(() => {});
    },
  };
}

function isChange(event: BusEvent): event is ChangeEvent {
  return (
    KINDS.has(event.kind) &&
    (event.kind !== "resource_updated" || typeof (event as { uri?: unknown }).uri === "string")
  );
}
