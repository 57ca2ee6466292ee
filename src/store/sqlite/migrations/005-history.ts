/**
 * History: the running part of a relay's in its own row, ended spans and totals by hour and day beside it. A relay's rows
 * lie together and are bounded by themselves: whatever adds one drops what is too old.
 */
export const history = `
-- JSON; null before the first look that was kept.
alter table relay add column pulse text;

create table state_span (
  relay integer not null references relay on delete cascade,
  start integer not null,
  finish integer not null,
  state text not null,
  primary key (relay, start)
) strict, without rowid;

-- width: milliseconds, of an hour or a day.
create table look_total (
  relay integer not null references relay on delete cascade,
  width integer not null,
  start integer not null,
  looks integer not null,
  answered integer not null,
  latency integer not null,
  slowest integer not null,
  up integer not null,
  known integer not null,
  primary key (relay, width, start)
) strict, without rowid;
`;
