/** The tools of a relay as one text beside their rows: a page of a hundred relays is read without a thousand look-ups. */
export const toolTexts = `
alter table relay_text add column tools text not null default '';
update relay_text set tools = coalesce(
  (select group_concat(json, ',') from (select json from tool where relay = relay_text.relay order by position)), '');
`;
