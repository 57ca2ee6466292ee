/** How many relays have each tag, kept: the directory tells the most common ones on every page, and does not read all relays for it. */
export const tagCounts = `
create table tag_count (
  tag text primary key,
  relays integer not null
) strict, without rowid;
insert into tag_count select tag, count(*) from relay_tag group by tag;
create index tag_count_most on tag_count (relays desc, tag);

create trigger relay_tag_counted after insert on relay_tag begin
  insert into tag_count values (new.tag, 1) on conflict do update set relays = relays + 1;
end;
-- Fires too when a relay goes, and its tags with it.
create trigger relay_tag_uncounted after delete on relay_tag begin
  update tag_count set relays = relays - 1 where tag = old.tag;
  delete from tag_count where tag = old.tag and relays = 0;
end;
`;
