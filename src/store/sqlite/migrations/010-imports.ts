/** Imports: what they read, what they took, what became of it; and the names under which others list our relays. */
export const imports = `
-- input: JSON. counts: JSON of the report's numbers, kept up to date with each write.
create table import_job (
  position integer primary key autoincrement,
  id text not null unique,
  url text,
  input text not null,
  created_at text not null,
  finished_at text,
  cancelled integer not null default 0,
  incomplete integer not null default 0,
  problems text not null default '[]',
  counts text not null
) strict;
create index import_job_finished on import_job (finished_at);

-- done_at null: still to be read. trail is the reader's.
create table import_document (
  job integer not null references import_job on delete cascade,
  position integer not null,
  url text not null,
  trail text not null,
  stale integer not null,
  tries integer not null default 0,
  due_at integer not null,
  done integer not null default 0,
  primary key (job, position),
  unique (job, url)
) strict, without rowid;
create index import_document_waiting on import_document (job, due_at, position) where done = 0;

-- Entries that were counted; dropped with the job's end.
create table import_entry (
  job integer not null references import_job on delete cascade,
  key text not null,
  primary key (job, key)
) strict, without rowid;

-- turn: the how-manieth of its domain it is. outcome null: not looked at.
create table import_url (
  job integer not null references import_job on delete cascade,
  position integer not null,
  endpoint text not null,
  url text not null,
  domain text not null,
  turn integer not null,
  outcome text,
  relay text,
  failure text,
  error text,
  primary key (job, position),
  unique (job, endpoint)
) strict, without rowid;
create index import_url_open on import_url (job, turn, position) where outcome is null;

create table import_domain (
  job integer not null references import_job on delete cascade,
  domain text not null,
  urls integer not null,
  primary key (job, domain)
) strict, without rowid;

create table import_name (
  job integer not null references import_job on delete cascade,
  endpoint text not null,
  name text not null,
  primary key (job, endpoint, name)
) strict, without rowid;

-- Hearsay: it stays when a relay goes, and says nothing of it.
create table claim (
  endpoint text not null,
  source text not null,
  name text not null,
  version text,
  at text not null,
  primary key (endpoint, source, name)
) strict, without rowid;
create index claim_name on claim (source, name);
`;
