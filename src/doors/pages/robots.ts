/** What crawlers are asked (RFC 9309): to read the pages, and to leave alone what costs work or is for programs. */
export const ROBOTS = `User-agent: *
Disallow: /v1/
Disallow: /v0.1/
Disallow: /mcp
Disallow: /register
Disallow: /explorer
Disallow: /*/refresh
Disallow: /*?*cursor=
`;
