/** Relays by the era that answered: a flag like the others, in the index of lists and in the counts. */
export const eras = `
alter table relay add column era text not null default 'unknown';
-- A tail is the rest of the record's object behind the tools: "],…}".
update relay set era = case
  when json_extract('{' || substr(tail, 3), '$.probe.era') >= '2026-07-28' then 'modern'
  when json_extract('{' || substr(tail, 3), '$.probe.era') is not null then 'legacy'
  else 'unknown' end;

drop index relay_listing;
create index relay_listing on relay (seq, online, verified, auth, era);

drop trigger relay_counted;
drop trigger relay_uncounted;
drop trigger relay_recounted;
drop table relay_count;
-- At most 60 rows.
create table relay_count (
  online integer not null,
  verified integer not null,
  auth text not null,
  era text not null,
  relays integer not null,
  primary key (online, verified, auth, era)
) strict, without rowid;
insert into relay_count select online, verified, auth, era, count(*) from relay group by 1, 2, 3, 4;

create trigger relay_counted after insert on relay begin
  insert into relay_count values (new.online, new.verified, new.auth, new.era, 1)
    on conflict do update set relays = relays + 1;
end;
create trigger relay_uncounted after delete on relay begin
  update relay_count set relays = relays - 1
    where online = old.online and verified = old.verified and auth = old.auth and era = old.era;
end;
create trigger relay_recounted after update of online, verified, auth, era on relay
when old.online <> new.online or old.verified <> new.verified or old.auth <> new.auth or old.era <> new.era begin
  update relay_count set relays = relays - 1
    where online = old.online and verified = old.verified and auth = old.auth and era = old.era;
  insert into relay_count values (new.online, new.verified, new.auth, new.era, 1)
    on conflict do update set relays = relays + 1;
end;
`;
