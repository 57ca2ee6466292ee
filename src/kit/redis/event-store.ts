/** What was streamed to a session, for a client that takes a stream up again by `Last-Event-ID`: the SDK's `EventStore`, as a stream. */
import type { EventId, EventStore, JSONRPCMessage, StreamId } from "@modelcontextprotocol/server";
import { type RedisClient, script } from "./client.ts";
import { MAX_STREAMED_OF_SESSION } from "./limits.ts";

const store = script(`
local P, id = KEYS[1], ARGV[1]
local left = redis.call('PTTL', P .. 'session:' .. id)
if left < 0 then return '0-0' end
local key = P .. 'streamed:' .. id
local event = redis.call('XADD', key, 'MAXLEN', '~', ARGV[4], '*', 'stream', ARGV[2], 'message', ARGV[3])
redis.call('PEXPIRE', key, left)
return event`);

export function createRedisEventStore(
  client: RedisClient,
  { prefix, session }: { readonly prefix: string; readonly session: string },
): EventStore {
  const key = `${prefix}streamed:${session}`;

  async function read(from: string, to: string): Promise<readonly (readonly [string, string, string])[]> {
    const entries = (await client.sendCommand(["XRANGE", key, from, to])) as [unknown, unknown[]][];
    return entries.map(([id, fields]) => [String(id), String(fields[1]), String(fields[3])] as const);
  }

  /** The stream of an event of this very session. */
  async function streamOf(id: EventId): Promise<StreamId | undefined> {
    if (!/^\d{1,15}-\d{1,15}$/.test(id)) return undefined;
    return (await read(id, id))[0]?.[1];
  }

  return {
    storeEvent: async (stream, message) =>
      String(
        await store(client, [prefix], [session, stream, JSON.stringify(message), MAX_STREAMED_OF_SESSION]),
      ),
    getStreamIdForEventId: streamOf,
    async replayEventsAfter(last, { send }) {
      const stream = await streamOf(last);
      if (stream === undefined) throw new Error("there is no such event in this session");
      for (const [id, of, message] of await read(`(${last}`, "+")) {
        const told = JSON.parse(message) as JSONRPCMessage;
        // The first event of a stream says nothing but its id.
        if (of === stream && "jsonrpc" in told) await send(id, told);
      }
      return stream;
    },
  };
}
