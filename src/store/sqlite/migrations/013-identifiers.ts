/** What publishers call their relays: told by an import's list, and in the record itself, no longer in the descriptor that a card made. */
export const identifiers = `
alter table import_url add column identifier text;

-- A tail is the rest of the record's object behind the tools: "],…}"; a head, what is before them.
update relay set tail = substr(tail, 1, length(tail) - 1) || ',"identifier":' || (
    select json_quote(json_extract(h.head || ']}', '$.descriptor.serverCard.identifier'))
      from relay_text h where h.relay = relay.seq
  ) || '}'
  where seq in (
    select h.relay from relay_text h where h.head like '%"serverCard"%"identifier":"urn:air:%'
      and json_type(h.head || ']}', '$.descriptor.serverCard.identifier') = 'text'
  ) and json_extract('{' || substr(tail, 3), '$.probe.verifiedBy') = 'server-card';
`;
