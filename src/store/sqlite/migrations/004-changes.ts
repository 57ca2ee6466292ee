/** The log of changes: whose each is, what exactly an update changed, and what dropping old ones needs. */
export const changes = `
alter table change add column relay text not null default '';
-- JSON; null where nothing more is said than the event.
alter table change add column detail text;
update change set relay = (select json_extract(json, '$.id') from snapshot where id = change.snapshot);

create index change_of on change (relay, seq);
create index change_at on change (at);
-- Dropping a snapshot asks whether a change still has it.
create index change_snapshot on change (snapshot);
`;
