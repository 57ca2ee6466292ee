/** Peers, the pages of their lists, the endpoints they list that are not listed here, and what an admin removed. */
export const peers = `
create table peer (
  position integer primary key autoincrement,
  url text not null unique,
  added_at text not null,
  synced_at text,
  last_error text
) strict;

create table peer_page (
  peer text not null references peer (url) on delete cascade,
  url text not null,
  etag text not null,
  next text,
  seen_at integer not null,
  primary key (peer, url)
) strict, without rowid;

create table peer_candidate (
  peer text not null references peer (url) on delete cascade,
  endpoint text not null,
  url text not null,
  page text not null,
  seen_at integer not null,
  tries integer not null,
  due_at integer not null,
  primary key (peer, endpoint)
) strict, without rowid;
create index peer_candidate_due on peer_candidate (peer, tries, due_at);
create index peer_candidate_page on peer_candidate (peer, page);

-- It outlives the relay that it was of.
create table removed_endpoint (
  url text primary key,
  at integer not null
) strict, without rowid;
`;
