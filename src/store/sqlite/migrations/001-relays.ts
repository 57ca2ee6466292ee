/**
 * Relays, their tools, the changes and the jobs.
 * A record's text is head + tools + tail: what a probe always changes (`tail`) lies apart from what it rarely does.
 */
export const relays = `
-- seq is the order of first listing, never used twice.
create table relay (
  seq integer primary key autoincrement,
  id text not null unique,
  revision integer not null,
  online integer not null,
  verified integer not null,
  auth text not null,
  endpoint text not null,
  hints text,
  tail text not null
) strict;

-- Narrow enough that a filtered list reads 20,000 entries in about a millisecond.
create index relay_listing on relay (seq, online, verified, auth);

-- Canonical URLs, the relay's own and its aliases: one relay each.
create table relay_endpoint (
  url text primary key,
  relay integer not null references relay on delete cascade
) strict, without rowid;
create index relay_endpoint_of on relay_endpoint (relay);

create table relay_text (
  relay integer primary key references relay on delete cascade,
  head text not null,
  summary text not null
) strict;

-- What a list's q looks in, folded.
create table relay_words (
  relay integer primary key references relay on delete cascade,
  text text not null
) strict;

create table relay_tag (
  tag text not null,
  relay integer not null references relay on delete cascade,
  primary key (tag, relay)
) strict, without rowid;
create index relay_tag_of on relay_tag (relay);

create table tool (
  id integer primary key,
  relay integer not null references relay on delete cascade,
  position integer not null,
  name text not null,
  json text not null
) strict;
create index tool_of on tool (relay, position, name);

-- How many relays have these flags: at most 20 rows, so that a total costs the same at any size.
create table relay_count (
  online integer not null,
  verified integer not null,
  auth text not null,
  relays integer not null,
  primary key (online, verified, auth)
) strict, without rowid;

create trigger relay_counted after insert on relay begin
  insert into relay_count values (new.online, new.verified, new.auth, 1)
    on conflict do update set relays = relays + 1;
end;
create trigger relay_uncounted after delete on relay begin
  update relay_count set relays = relays - 1
    where online = old.online and verified = old.verified and auth = old.auth;
end;
create trigger relay_recounted after update of online, verified, auth on relay
when old.online <> new.online or old.verified <> new.verified or old.auth <> new.auth begin
  update relay_count set relays = relays - 1
    where online = old.online and verified = old.verified and auth = old.auth;
  insert into relay_count values (new.online, new.verified, new.auth, 1)
    on conflict do update set relays = relays + 1;
end;

-- The last revision given: one sequence over all relays, so that a relay listed anew never has an old one's.
create table revision (last integer not null) strict;
insert into revision values (0);

-- The record as it was after a change; the events of one write share it.
create table snapshot (
  id integer primary key,
  json text not null
) strict;
create table change (
  seq integer primary key autoincrement,
  id text not null,
  event text not null,
  at text not null,
  snapshot integer not null references snapshot
) strict;

create table job (
  id text primary key,
  created_at text not null,
  finished_at text,
  total integer not null
) strict, without rowid;
create table job_url (
  job text not null references job on delete cascade,
  position integer not null,
  url text not null,
  result text,
  primary key (job, position)
) strict, without rowid;

-- Relays whose postings are behind. It outlives the relay: a removed one's postings go too.
create table search_dirty (
  relay integer primary key,
  -- Tools up to this id are done.
  done integer not null default 0
) strict;
`;
