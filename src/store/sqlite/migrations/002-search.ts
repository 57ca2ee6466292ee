/** The search index: postings in packed blocks (search/postings.ts), what each tool is indexed as, and the running sums. */
export const search = `
create table search_term (
  id integer primary key,
  text text not null unique
) strict;
-- Where a misspelt word's neighbours are looked for.
create index search_term_shape on search_term (substr(text, 1, 1), length(text), text);

-- By block first: what comes in together lies together, so that a step rewrites a few neighbouring pages.
create table search_posting (
  block integer not null,
  term integer not null,
  postings blob not null,
  primary key (block, term)
) strict, without rowid;

-- A tool's entries outlive it until the index has followed.
create table search_tool (
  id integer primary key,
  relay integer not null,
  -- Of all that the entries were made from: equal means up to date.
  fingerprint integer not null,
  lengths text not null,
  terms blob not null
) strict;
create index search_tool_of on search_tool (relay);

create table search_state (
  json text not null
) strict;
`;
