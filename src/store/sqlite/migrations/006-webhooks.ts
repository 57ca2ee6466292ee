/** Subscriptions and the outbox of their deliveries. */
export const webhooks = `
create table webhook (
  key integer primary key autoincrement,
  id text not null unique,
  url text not null,
  -- JSON array of names.
  events text not null,
  secret text not null,
  created_at text not null,
  -- Changes up to this seq came before it.
  since integer not null,
  failures integer not null default 0,
  active integer not null default 1,
  reason text,
  -- The last attempt failed.
  doubtful integer not null default 0,
  -- Milliseconds: when there is something to look for; null: nothing waits.
  due_at integer,
  -- Until then nothing of it is handed out.
  rest_until integer not null default 0,
  -- Who has it; nobody, when that one no longer lives.
  dispatcher text
) strict;
create index webhook_due on webhook (due_at) where due_at is not null and active = 1;
create index webhook_of_dispatcher on webhook (dispatcher) where dispatcher is not null;

-- Which relays a subscription is about; none: all.
create table webhook_relay (
  webhook integer not null references webhook on delete cascade,
  relay text not null,
  primary key (webhook, relay)
) strict, without rowid;

create table webhook_dispatcher (
  id text primary key,
  alive_until integer not null
) strict, without rowid;

-- The body is the change's. No foreign keys: changes go by age, and a subscription's rows are dropped with it by hand,
-- because the indexes are halves: what waits, and what is finished.
create table delivery (
  key integer primary key autoincrement,
  webhook integer not null,
  id text not null,
  -- Null: a test.
  change integer,
  relay text not null,
  event text not null,
  at text not null,
  -- 0 waiting, 1 delivered, 2 failed
  state integer not null default 0,
  attempts integer not null default 0,
  due_at integer not null,
  status integer,
  error text
) strict;
create index delivery_waiting on delivery (webhook, key) where state = 0;
create index delivery_paused on delivery (webhook, due_at) where state = 0 and attempts > 0;
create index delivery_finished on delivery (webhook, key) where state <> 0;

-- The change that was looked at last and, while it is not done with, the subscription that was.
create table webhook_cursor (
  change integer not null,
  webhook integer not null
) strict;
insert into webhook_cursor values (coalesce((select seq from sqlite_sequence where name = 'change'), 0), 0);
`;
