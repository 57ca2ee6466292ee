/** What clients have used of their budgets. */
export const budgets = `
-- full_at: milliseconds since the epoch at which the bucket is full again; from then on the row says nothing.
create table budget (
  client text not null,
  name text not null,
  full_at real not null,
  primary key (client, name)
) strict, without rowid;
`;
