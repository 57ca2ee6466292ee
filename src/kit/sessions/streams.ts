/** Streams that a client takes up again by `Last-Event-ID`, where an author keeps what was streamed (the SDK's `EventStore`). */
import type { EventStore } from "@modelcontextprotocol/server";

/** The SDK's name of the one stream that belongs to no request. */
const STANDALONE = "_GET_stream";

/** Whether a GET opens the stream that belongs to no request; one that takes up a call's stream does not. */
export async function isStandalone(request: Request, eventStore: EventStore | undefined): Promise<boolean> {
  const last = request.headers.get("last-event-id");
  if (last === null || last === "" || eventStore?.getStreamIdForEventId === undefined) return true;
  return (await eventStore.getStreamIdForEventId(last)) === STANDALONE;
}

/** The same store, that keeps nothing while `quiet`: what a server is told again was streamed long ago. */
export function quietable(eventStore: EventStore, quiet: () => boolean): EventStore {
  const streamOf = eventStore.getStreamIdForEventId?.bind(eventStore);
  return {
    storeEvent: (stream, message) => (quiet() ? Promise.resolve("") : eventStore.storeEvent(stream, message)),
    replayEventsAfter: (id, to) => eventStore.replayEventsAfter(id, to),
    ...(streamOf === undefined ? {} : { getStreamIdForEventId: streamOf }),
  };
}
