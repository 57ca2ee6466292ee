/** When each relay is due and who looks at it now; and beside each relay what its descriptor was last served with. */
export const schedule = `
alter table relay add column document text;

-- due: milliseconds since the epoch, 0 for never planned.
create table schedule (
  relay integer primary key references relay on delete cascade,
  due integer not null,
  host text not null,
  domain text not null
) strict;
-- Read in its order and alone, also past thousands of relays at places that are full.
create index schedule_due on schedule (due, host, domain);

create table schedule_lease (
  relay integer primary key references relay on delete cascade,
  owner text not null,
  since integer not null,
  until integer not null
) strict;

-- Host and port, until the next look says it properly.
insert into schedule (relay, due, host, domain)
  select relay, 0, place, place from (
    select relay, substr(rest, 1, instr(rest, '/') - 1) as place from (
      select seq as relay, substr(endpoint, instr(endpoint, '://') + 3) || '/' as rest from relay
    )
  );
`;
