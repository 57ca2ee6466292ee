/**
 * Sessions as hashes, with two sorted sets to find them by their end: all, and each user's. A change is one script, so that no two
 * instances see half of it.
 */
import type { JsonObject, JsonValue } from "../../spec/index.ts";
import { MAX_REMEMBERED } from "../limits.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { type RedisClient, script } from "./client.ts";
import { AFTERLIFE_MS } from "./limits.ts";

/** Ends session `id`; true when there was one. `P` is the prefix. */
const END = `
local function finish(P, id)
  local user = redis.call('HGET', P .. 'session:' .. id, 'user')
  redis.call('ZREM', P .. 'ends', id)
  if user and user ~= 'null' then redis.call('ZREM', P .. 'user:' .. user, id) end
  redis.call('DEL', P .. 'remembered:' .. id, P .. 'streamed:' .. id)
  return redis.call('DEL', P .. 'session:' .. id)
end
`;

const open = script(`
local P, id, user, ends = KEYS[1], ARGV[1], ARGV[2], ARGV[5]
local key = P .. 'session:' .. id
if redis.call('EXISTS', key) == 1 then return redis.error_reply('there is a session with this id') end
redis.call('HSET', key, 'user', user, 'initialize', ARGV[3], 'openedAt', ARGV[4], 'expiresAt', ends, 'state', ARGV[6], 'version', ARGV[7])
redis.call('PEXPIRE', key, ARGV[8])
redis.call('ZADD', P .. 'ends', ends, id)
if user ~= 'null' then
  redis.call('ZADD', P .. 'user:' .. user, ends, id)
  redis.call('PEXPIRE', P .. 'user:' .. user, ARGV[8])
end
return 1`);

const touch = script(`
local P, id, now, ends = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local key = P .. 'session:' .. id
local before = redis.call('HGET', key, 'expiresAt')
if not before or tonumber(before) <= tonumber(now) then return 0 end
if tonumber(before) >= tonumber(ends) then return 1 end
redis.call('HSET', key, 'expiresAt', ends)
redis.call('ZADD', P .. 'ends', ends, id)
for _, own in ipairs({ 'session:', 'remembered:', 'streamed:' }) do redis.call('PEXPIRE', P .. own .. id, ARGV[4]) end
local user = redis.call('HGET', key, 'user')
if user ~= 'null' then
  redis.call('ZADD', P .. 'user:' .. user, ends, id)
  redis.call('PEXPIRE', P .. 'user:' .. user, ARGV[4])
end
return 1`);

const write = script(`
local key = KEYS[1] .. 'session:' .. ARGV[1]
if redis.call('HGET', key, 'version') ~= ARGV[2] then return 0 end
redis.call('HSET', key, 'state', ARGV[3])
redis.call('HINCRBY', key, 'version', 1)
return 1`);

const remember = script(`
local P, id, field, value = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local left = redis.call('PTTL', P .. 'session:' .. id)
if left < 0 then return 0 end
local key = P .. 'remembered:' .. id
if value == 'null' then redis.call('HDEL', key, field) return 1 end
if redis.call('HLEN', key) < tonumber(ARGV[4]) or redis.call('HEXISTS', key, field) == 1 then
  redis.call('HSET', key, field, value)
  redis.call('PEXPIRE', key, left)
end
return 1`);

const end = script(`${END} return finish(KEYS[1], ARGV[1])`);

const prune = script(`${END}
local ids = redis.call('ZRANGEBYSCORE', KEYS[1] .. 'ends', '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, id in ipairs(ids) do finish(KEYS[1], id) end
return #ids`);

const trim = script(`${END}
local P = KEYS[1]
local set = ARGV[2] == 'null' and P .. 'ends' or P .. 'user:' .. ARGV[2]
local excess = redis.call('ZCARD', set) - tonumber(ARGV[1])
if excess <= 0 then return {} end
local ids = redis.call('ZRANGE', set, 0, excess - 1)
for _, id in ipairs(ids) do
  finish(P, id)
  redis.call('ZREM', set, id)
end
return ids`);

export function createRedisSessionStore(
  client: RedisClient,
  { prefix, close }: { readonly prefix: string; readonly close: () => Promise<void> },
): SessionStore {
  const keys = [prefix];
  return {
    async open({ id, user, initialize, openedAt, expiresAt, state, version }) {
      const lives = expiresAt - openedAt + AFTERLIFE_MS;
      const [own, opening, kept] = [user, initialize, state].map((value) => JSON.stringify(value)) as [
        string,
        string,
        string,
      ];
      await open(client, keys, [id, own, opening, openedAt, expiresAt, kept, version, lives]);
    },
    async read(id, now) {
      const names = ["user", "initialize", "openedAt", "expiresAt", "state", "version"];
      const found = (await client.sendCommand(["HMGET", `${prefix}session:${id}`, ...names])) as unknown[];
      if (found[0] === null || Number(found[3]) <= now) return null;
      const [user, initialize, openedAt, expiresAt, state, version] = found.map(String) as [
        string,
        string,
        string,
        string,
        string,
        string,
      ];
      return {
        id,
        user: JSON.parse(user) as string | null,
        initialize: JSON.parse(initialize) as JsonObject,
        openedAt: Number(openedAt),
        expiresAt: Number(expiresAt),
        state: JSON.parse(state) as JsonValue,
        version: Number(version),
      };
    },
    touch: async (id, { now, expiresAt }) =>
      (await touch(client, keys, [id, now, expiresAt, Math.max(1, expiresAt - now) + AFTERLIFE_MS])) === 1,
    write: async (id, { state, version }) =>
      (await write(client, keys, [id, version, JSON.stringify(state)])) === 1,
    remember: async (id, { key, value }) =>
      (await remember(client, keys, [id, key, JSON.stringify(value), MAX_REMEMBERED])) === 1,
    async recall(id) {
      const values = (await client.sendCommand(["HVALS", `${prefix}remembered:${id}`])) as unknown[];
      return values.map((value) => JSON.parse(String(value)) as JsonObject);
    },
    end: async (id) => (await end(client, keys, [id])) === 1,
    prune: async (now, limit) => Number(await prune(client, keys, [now, limit])),
    async trim({ max, user }) {
      const ids = await trim(client, keys, [max, user === undefined ? "null" : JSON.stringify(user)]);
      return (ids as unknown[]).map(String);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
