/**
 * What the sources demand, as data: each normative statement with where it is written and the issue that builds it.
 * A test says which it proves with `verifies`; requirements.test.ts fails on a statement in scope that no test proves.
 * Statements are in our own words; the sources decide.
 */
import type { TestOptions } from "vitest";

/** `openmcp-0.1`: the specification. `wire`: the rulings where it is silent. `watched`: docs/how-relays-are-watched.md; `operated`: docs/operate.md; `fair`: docs/fair-use.md; `discovery`: the rulings on discovery documents; `openapi`: the rulings on tools as OpenAPI. */
export type Source =
  | "openmcp-0.1"
  | "wire"
  | "watched"
  | "operated"
  | "fair"
  | "discovery"
  | "openapi"
  | "kit"
  | "connect"
  | "explorer"
  | "directory";

export interface Requirement {
  readonly source: Source;
  /** The heading in the source. */
  readonly section: string;
  readonly statement: string;
  /** The issue that builds it. */
  readonly issue: number;
}

/** The issues whose statements must be proved now. */
export const issuesInScope: ReadonlySet<number> = new Set([2, 3, 4, 5, 6]);

const spec = (section: string, statement: string, issue = 2): Requirement => ({
  source: "openmcp-0.1",
  section,
  statement,
  issue,
});
const wire = (section: string, statement: string, issue = 2): Requirement => ({
  source: "wire",
  section,
  statement,
  issue,
});

const watched = (section: string, statement: string): Requirement => ({
  source: "watched",
  section,
  statement,
  issue: 3,
});

const operated = (section: string, statement: string): Requirement => ({
  source: "operated",
  section,
  statement,
  issue: 3,
});

const fair = (section: string, statement: string): Requirement => ({
  source: "fair",
  section,
  statement,
  issue: 3,
});

const discovery = (section: string, statement: string): Requirement => ({
  source: "discovery",
  section,
  statement,
  issue: 4,
});

const openapi = (statement: string, section = "Tools out"): Requirement => ({
  source: "openapi",
  section,
  statement,
  issue: 5,
});

/** docs/kit.md, from the issue's own words; `connect`: "Serving over stdio". */
const kit = (section: string, statement: string): Requirement => ({
  source: "kit",
  section,
  statement,
  issue: 5,
});

const stdio = (statement: string): Requirement => ({
  source: "connect",
  section: "Serving over stdio",
  statement,
  issue: 5,
});

/** The connect flow of the client, and servers in applications: docs/connect.md and docs/install.md. */
const flow = (statement: string): Requirement => ({
  source: "connect",
  section: "The connect flow",
  statement,
  issue: 6,
});
const install = (statement: string): Requirement => ({
  source: "connect",
  section: "Into an application",
  statement,
  issue: 6,
});

const explorer = (section: string, statement: string): Requirement => ({
  source: "explorer",
  section,
  statement,
  issue: 6,
});

/** docs/directory.md, from the issue's own words. */
const directory = (section: string, statement: string): Requirement => ({
  source: "directory",
  section,
  statement,
  issue: 6,
});

export const requirements = {
  // The relay id
  "id.slug": wire(
    "The relay id",
    "The id is made from host, port and path, the endpoint's own name dropped, in [a-z0-9.-], at most 120 characters",
  ),
  "id.stable": spec("The record", "The id is stable across probes, and two catalogs derive the same one"),
  "id.endpoint-is-identity": wire(
    "The relay id",
    "Slash, port, host case and percent-encoding do not make a second relay",
  ),
  "id.collision": wire(
    "The relay id",
    "The later of two endpoints with one slug gets eight hex digits of a hash",
  ),
  "id.never-overwritten": wire("The relay id", "A record is never overwritten by another endpoint's"),
  "id.alias": wire(
    "The relay id",
    "A relay whose own descriptor names another path keeps id and record; the old URL becomes an alias",
  ),

  // The descriptor
  "descriptor.mcp-only": spec("The descriptor", "mcp is required and the only required key"),
  "descriptor.mcp-relative": spec(
    "The descriptor",
    "mcp may be relative to the descriptor's own URL, after redirects",
  ),
  "descriptor.version": spec("The descriptor", "An absent openmcp means the current version"),
  "descriptor.auth-unstated": spec("The descriptor", "Absent auth is unstated, and reported so"),
  "descriptor.tags": wire("The descriptor", "Tags are compared lower-cased and trimmed"),
  "descriptor.tools-fallback": spec(
    "The descriptor",
    "The tools a descriptor names index a relay that can't be reached; tools/list wins where both exist",
  ),
  "descriptor.kept": spec("The descriptor", "Unknown keys are kept, and the document is kept as served"),
  "descriptor.wrong-types": wire(
    "The descriptor",
    "A wrong-typed optional key is kept and ignored in every use",
  ),
  "descriptor.http-only": wire("The descriptor", "Only http and https URLs are taken, for mcp and for links"),
  "descriptor.other-origin": wire(
    "The descriptor",
    "A descriptor whose mcp is on another origin proves nothing about that origin",
  ),
  "descriptor.untrusted": wire("The descriptor", "Text from a relay is escaped in pages, never run"),

  // The probe
  "probe.any-url": spec("The probe", "A descriptor URL, an endpoint or a site may be handed in"),
  "probe.descriptor-first": spec(
    "The probe",
    "The origin's descriptor is asked for first; one that parses verifies",
  ),
  "probe.given-url-is-endpoint": spec(
    "The probe",
    "Without a descriptor the given URL is taken as the endpoint",
  ),
  "probe.site-paths": wire("The probe", "For a bare site /mcp, /api/mcp, /api/v1/mcp and /v1/mcp are tried"),
  "probe.endpoint-and-descriptor": wire(
    "The probe",
    "A given endpoint that answers is the relay of the registration; the descriptor's own goes into relays",
  ),
  "probe.both-eras": wire("The probe", "server/discover is asked first, then initialize, negotiated down"),
  "probe.paged": wire(
    "The probe",
    'tools/list is paged in the era that answered; repeated cursors end it, "" once',
  ),
  "probe.session-deleted": wire("The probe", "A session that was opened is deleted"),
  "probe.sse-recognised": wire("The probe", "Legacy HTTP+SSE is recorded as wrong-transport, not as online"),
  "probe.transport-tolerance": wire(
    "The probe",
    "JSON or SSE, several data lines, comments, notifications and requests before the answer, matched by id",
  ),
  "probe.tools-deduplicated": wire("The probe", "Tools are deduplicated by name, in first-seen order"),
  "probe.tools-truncated": wire("The probe", "A cap on tools is said, never silent"),
  "probe.tools-whole": wire("The probe", "Tools are kept whole: title, schemas, annotations, icons, _meta"),
  "probe.offline-keeps-tools": spec(
    "The probe",
    "An offline relay keeps its last known tools, marked so, and its failure count goes up",
  ),
  "probe.facts-only": spec("The probe", "A relay is listed only if one question was answered yes"),
  "probe.unauthenticated": spec("The probe", "The probe carries no credential"),
  "probe.auth-required": wire(
    "The record",
    "A gated relay with neither descriptor nor card is refused, with evidence",
  ),
  "probe.gated-with-descriptor": spec(
    "The probe",
    "A gated relay with a descriptor is listed offline with its tools",
  ),
  "probe.on-a-schedule": spec("The probe", "Listed relays are probed again on a schedule"),

  // The record
  "record.keys": spec("The record", "A record carries the twelve keys, and probe and toolsFrom beside them"),
  "record.states": wire("The record", "probe.state is one of the eight named states"),
  "record.two-events": wire(
    "The record",
    "A change of content and one of reachability at one probe are two events",
  ),
  "record.no-change": wire("The record", "Times, latency and the order of keys and tools are no change"),
  "record.refresh-judges": wire("The record", "A refresh by hand answers the verdict"),

  // REST
  "rest.envelope": wire(
    "REST, under /v1",
    "Success carries ok: true; an error is a problem document with ok: false",
  ),
  "rest.bad-input": wire("REST, under /v1", "What is not of its form gets 400 naming the parameter"),
  "rest.unknown-route": wire("REST, under /v1", "An unknown route is 404, a wrong method 405 with Allow"),
  "rest.too-large": wire("REST, under /v1", "Too large a body is 413"),
  "rest.list": wire("REST, under /v1", "GET /v1/relays filters by q, tag, online, verified, auth"),
  "rest.list-paged": wire(
    "REST, under /v1",
    "Pages have a limit up to 500 and a cursor; total counts all that match",
  ),
  "rest.list-page-size": wire("REST, under /v1", "A page ends early at its size limit, with nextCursor"),
  "rest.register": wire("REST, under /v1", "POST /v1/relays answers 201, or 200 when it was listed already"),
  "rest.register-refused": wire("REST, under /v1", "What can't be listed is 422 with the probe's evidence"),
  "rest.bulk": wire("REST, under /v1", "A bulk registration is a job that can be read"),
  "rest.bulk-survives": wire("REST, under /v1", "A bulk job goes on after a restart"),
  "rest.get": wire("REST, under /v1", "GET /v1/relays/:id and /tools answer the record and its tools"),
  "rest.refresh": wire("REST, under /v1", "POST /v1/relays/:id/refresh probes now"),
  "rest.remove": wire("REST, under /v1", "DELETE /v1/relays/:id needs the admin credential"),
  "rest.find": wire("REST, under /v1", "GET /v1/tools answers the matching tools, best first, 8 unless told"),
  "rest.find-online": wire("REST, under /v1", "Tools of offline relays are found only when asked for"),
  "rest.call": wire("REST, under /v1", "A call answers the relay's result whole, unknown keys too"),
  "rest.call-errors": wire(
    "REST, under /v1",
    "A relay's JSON-RPC error is 422, a refused credential 502, a time-out 504",
  ),
  "rest.call-bare": wire("REST, under /v1", "POST …/tools/:tool answers the bare structured content"),
  "rest.openapi": wire("REST, under /v1", "GET /v1/openapi.json describes the routes that exist"),
  "rest.health": wire("REST, under /v1", "/healthz and /readyz answer"),
  "rest.admin": wire("REST, under /v1", "Without a configured token admin routes answer 401 and say so"),
  "rest.conditional": wire("REST, under /v1", "Reads carry ETag and answer 304; HEAD works where GET does"),
  "rest.cors": wire("REST, under /v1", "Reads allow any origin"),

  // MCP
  "mcp.both-eras": wire("MCP, at /mcp", "The catalog's endpoint is stateless and serves both eras"),
  "mcp.tools": wire(
    "MCP, at /mcp",
    "The catalog's tools answer structured content, and the same data as text",
  ),
  "mcp.origin": wire("MCP, at /mcp", "Origin and Host are checked"),
  "mcp.call-untouched": wire("MCP, at /mcp", "call_tool answers the relay's own result"),
  "mcp.failures": wire("MCP, at /mcp", "Failures are tool results with isError and what to do next"),
  "mcp.same-answers": spec("The client", "REST and MCP answer the same questions the same way"),

  // Forwarding a call
  "call.headers-afresh": wire(
    "Forwarding a call",
    "Nothing of the caller's request goes on but the explicit token",
  ),
  "call.token-unkept": wire("Forwarding a call", "The token is in no log, row or error"),
  "call.one-round-trip": wire("Forwarding a call", "Without a session a call costs one round trip"),
  "call.session": wire(
    "Forwarding a call",
    "A session serves one caller and is deleted; on 404 one fresh one",
  ),
  "call.never-retried": wire("Forwarding a call", "A call that may have run is never sent again"),
  "call.time-limits": wire("Forwarding a call", "An idle limit renewed by progress, and an absolute one"),
  "call.passed-through": wire(
    "Forwarding a call",
    "Progress, log notifications, cancellation and input_required results pass through where the caller's door can carry them",
  ),
  "call.online-unchanged": wire("Forwarding a call", "A failing call never changes online"),

  // The catalog itself
  "catalog.descriptor": spec("The catalog", "The catalog serves its own descriptor, with its catalog key"),
  "catalog.open-registration": spec(
    "The catalog",
    "Anyone may register; nothing a registrant types is listed",
  ),
  "catalog.no-credentials": spec(
    "What is deliberately absent",
    "The catalog keeps no credential for any relay",
  ),

  // Webhooks
  "rest.webhooks": wire(
    "REST, under /v1",
    "Subscriptions are made, read and removed; the secret is in no answer but the first",
    3,
  ),
  "rest.webhook-test": wire(
    "REST, under /v1",
    "A test, and a delivery once more, are queued by hand: 202",
    3,
  ),
  "mcp.subscribe": wire(
    "MCP, at /mcp",
    "subscribe answers {webhook, secret}, unsubscribe {removed: true}",
    3,
  ),
  "webhook.delivery": spec(
    "Webhooks, out",
    "A delivery is one POST of {id, event, at, catalog, relay} with its three headers",
    3,
  ),
  "webhook.removed-body": wire("Webhooks", "The body's relay is the record, or {id} when removed", 3),
  "webhook.filters": spec(
    "Webhooks, out",
    "A subscription has a list of events and may have one of relays",
    3,
  ),
  "webhook.attempts": wire(
    "Webhooks",
    "Three attempts with growing, jittered pauses, then the failure is recorded",
    3,
  ),
  "webhook.retry-after": wire("Webhooks", "Retry-After is honoured", 3),
  "webhook.no-redirects": wire("Webhooks", "Redirects are not followed", 3),
  "webhook.policy": wire(
    "Webhooks",
    "A subscription's URL is checked by the network policy at each delivery",
    3,
  ),
  "webhook.https": wire(
    "Webhooks",
    "https only, except to loopback when the catalog itself is on loopback",
    3,
  ),
  "webhook.inactive": spec(
    "Webhooks, out",
    "Fifty failed deliveries in a row make a subscription inactive, and it is still listed with the reason",
    3,
  ),
  "webhook.same-id": wire("Webhooks", "The delivery id is the same at each attempt", 3),
  "webhook.order": wire("Webhooks", "In order for one relay and subscription", 3),
  "webhook.lanes": wire("Webhooks", "A slow receiver delays no other", 3),
  "webhook.crash": wire("Webhooks", "The queue is in the store: a crash loses nothing", 3),
  "webhook.handle": spec(
    "Webhooks, out",
    "The id is unguessable and the only handle; the secret is shown once",
    3,
  ),

  // Webhook signatures
  "webhook.signature": spec(
    "Webhooks, out",
    "The signature is HMAC-SHA256 in hex over the raw body under the secret",
  ),
  "webhook.verify-raw": spec("The client", "A delivery's signature is verified over the raw body"),
  "webhook.events": spec("Webhooks, out", "The five events, each when it says"),

  // The client
  "client.two-facts": spec("The client", "online and verified are two facts, both shown"),
  "client.direct": spec(
    "The client",
    "A tool is called through the catalog or direct, with the caller's own credential",
  ),
  "client.absence": spec("The client", "An unstated auth or operator is reported as absent"),

  // Peers
  // Changes and history
  "changes.order": wire(
    "REST, under /v1",
    "GET /v1/changes gives the webhooks' events in commit order, each with seq, id, event, at and relay, and the next place",
    3,
  ),
  "changes.gone": wire("REST, under /v1", "A since older than what is kept is 410 gone; kept 30 days", 3),
  "events.stream": wire(
    "REST, under /v1",
    "GET /v1/events gives the same as Server-Sent Events, with seq as the id",
    3,
  ),
  "events.resume": wire("REST, under /v1", "A stream of events resumes from Last-Event-ID", 3),
  "history.route": wire(
    "REST, under /v1",
    "GET /v1/relays/:id/history gives uptime of day, week and month, spans and changes of the tools",
    3,
  ),

  "peers.probed-here": spec("Peering", "A relay learned from a peer is probed here before it is listed", 3),
  "peers.via": spec("Peering", "A relay learned from a peer is marked via the peer", 3),
  "peers.never-over-direct": spec(
    "Peering",
    "It never overwrites a record that was registered here directly",
    3,
  ),
  "peers.admin": spec("The catalog", "Changing peers needs the admin credential", 3),
  "peers.in-descriptor": spec("The catalog", "The catalog's descriptor names its peers", 3),
  "peers.all-pages": wire(
    "Peers",
    "All pages of a peer's list are read; also of one without cursors that stops at 500",
    3,
  ),
  "peers.conditional": wire("Peers", "Pages are asked for conditionally where the peer has ETags", 3),
  "peers.busy": wire(
    "Peers",
    "What a look changes is in no page that a peer reads: a busy one answers 304",
    3,
  ),
  "peers.never-over-peer": wire("Peers", "A record learned from one peer is never written by another", 3),
  "peers.one-hop": wire("Peers", "Entries whose via is not null are ignored", 3),
  "peers.made-direct": wire("Peers", "Registering a learned relay here makes it direct", 3),
  "peers.bad-entry": wire("Peers", "One bad entry hides none after it", 3),
  "peers.own-lane": wire("Peers", "One hanging peer stops no other", 3),
  "peers.tombstones": wire("Peers", "What an admin removed is not learned back for 30 days", 3),
  "peers.settle": wire("Peers", "Catalogs that peer with each other settle and stay quiet", 3),
  "peers.not-itself": wire("Peers", "A catalog is no peer of itself, and learns itself from none", 3),
  "rest.peers": wire("REST, under /v1", "GET, POST and DELETE /v1/peers and POST /v1/peers/sync", 3),
  "mcp.list-peers": wire("MCP, at /mcp", "list_peers answers the peers", 3),

  // How relays are watched
  "watch.next-at": watched("When", "probe.nextAt is the time of the next look"),
  "watch.second-look": watched(
    "One lost probe",
    "A relay is offline only after several failing looks in a row",
  ),
  "watch.backoff": watched("A relay that keeps failing", "Pauses double, never beyond a day nor the outage"),
  "watch.hints": watched(
    "What a relay may say",
    "A list that holds is asked for less often, never more often",
  ),
  "watch.conditional": watched(
    "What a relay may say",
    "A descriptor is asked for conditionally, and not while it says that it is fresh",
  ),
  "watch.once": watched("Several processes", "Each look is made by one process, and lost by no crash"),
  "watch.restarts": watched("Several processes", "A stop hands looks back"),
  "watch.clock": watched("Clocks", "A clock that jumps loses and doubles nothing"),
  "watch.slow": watched("How much at once", "Slow relays hold up no others"),
  "watch.polite": watched("How much at once", "Looks at a host and in a domain are bounded"),
  "watch.opt-out": watched("Not to be listed", "An owner who asks for no listing is not listed"),

  // Fair use
  "rest.over-rate": wire("REST, under /v1", "Over a rate: 429 with Retry-After", 3),
  "fair.budgets": fair("Budgets", "Each client has budgets of its own, which come back with time"),
  "fair.shared": fair("Several processes", "Catalogs on one database count together"),
  "fair.headers": fair("What a client is told", "Answers say what is given and what is left"),
  "fair.mcp": fair("What a client is told", "An agent is told when to try again"),
  "fair.at-once": fair("Calls at once", "Calls under way are bounded, of one client and to one relay"),
  "fair.free": fair("Who is not limited", "The admin, and this machine at a catalog that only it can reach"),
  "fair.proxies": fair("Behind a proxy", "What a sender writes into a proxy's header changes nothing"),
  "fair.limits": fair("Setting the limits", "Each budget can be set or turned off; what is wrong is named"),

  // Whom the catalog may call
  "network.trust-proxy": wire(
    "Whom the catalog may call",
    "A catalog that was told --trust-proxy calls no loopback",
    3,
  ),
  "network.refused-ranges": wire(
    "Whom the catalog may call",
    "Private, loopback, link-local and special ranges",
  ),
  "network.spellings": wire(
    "Whom the catalog may call",
    "Mapped, NAT64 and other spellings of them; localhost names",
  ),
  "network.urls": wire(
    "Whom the catalog may call",
    "Low ports, credentials in URLs and other schemes are refused",
  ),
  "network.connected-address": wire("Whom the catalog may call", "Judged on the address really connected to"),
  "network.redirects": wire("Whom the catalog may call", "Judged again at every redirect, three at most"),
  "network.loopback": wire(
    "Whom the catalog may call",
    "Loopback only for a catalog that is on loopback itself",
  ),
  "network.allow": wire("Whom the catalog may call", "--allow-network opens a range"),
  "network.limits": wire("Whom the catalog may call", "Bodies, tools, redirects and time have their limits"),

  // Discovery documents
  "card.schema": discovery(
    "Server Card v1",
    "A card is conformant by exactly the rules of its schema, which is never fetched",
  ),
  "card.code-points": discovery("Server Card v1", "Lengths are in code points: 100 emoji pass, 101 do not"),
  "card.open": discovery("Server Card v1", "Objects are open: unknown members survive; null is never valid"),
  "card.version": discovery(
    "Server Card v1",
    "A version is one version: no range, no wildcard, nothing that moves",
  ),
  "card.lints": discovery("Server Card v1", "What is valid by the schema and wrong is named"),
  "card.refused": discovery(
    "Server Card v1",
    "A publisher refuses to build such a card, naming the field and masking the value",
  ),
  "card.verdicts": discovery(
    "Server Card v1",
    "Two verdicts: leniency never changes whether a card is conformant",
  ),
  "card.legacy": discovery("Cases", "Four older shapes are normalised, and not conformant"),
  "card.place": discovery(
    "Cases",
    "A card's place is beside its endpoint, whatever query, fragment and slashes",
  ),
  "template.values": discovery(
    "Templates",
    "Input, then value, then default; choices enforced; all that is missing listed at once",
  ),
  "template.one-pass": discovery("Templates", "One pass, no recursion, $& literal, CR and LF refused"),
  "template.target": discovery("Templates", "Scheme and host stay what the literal parts imply"),
  "catalogs.one-place": discovery("Cases", "Exactly one of url and data: both, neither and null"),
  "catalogs.relative": discovery("Cases", "A relative URL resolves on the final URL"),
  "catalogs.media-types": discovery(
    "Catalogs",
    "type or mediaType, by its essence, in any case, parameters and spelling",
  ),
  "catalogs.versions": discovery(
    "Catalogs",
    "0.x, 1.x and draft are read, the number 1.0 too; a higher major is refused with a reason",
  ),
  "catalogs.duplicates": discovery(
    "Cases",
    "A byte order mark is told of; duplicate keys are an error in a catalog",
  ),
  "catalogs.bad-entries": discovery(
    "Catalogs",
    "A bad entry is dropped with a diagnostic and the others kept",
  ),
  "catalogs.bounded": discovery(
    "Catalogs",
    "811 entries pass, of 100,000 the first 10,000 are read and the cut is said",
  ),
  "catalogs.two-projections": discovery("Catalogs", "The two catalogs are two projections of one list"),
  "catalogs.identifiers": discovery(
    "Catalogs",
    "urn:air needs a publisher's domain, else the card's URL; a published identifier is kept",
  ),
  "catalogs.options": discovery("Catalogs", "specVersion and the form of urn:air are options"),
  "documents.registry": discovery(
    "The official registry",
    "server.json is read in the shape of today and the old one",
  ),
  "documents.sniffed": discovery(
    "Discovery documents",
    "Path does not predict shape: the content is sniffed",
  ),
  "documents.projections": discovery(
    "Issue 4, item 1",
    "Projections from one description, lossless where they claim to be",
  ),
  "documents.diagnostics": discovery("Issue 4, item 1", "Each finding has a code, a place and a cure"),
  "documents.lint": discovery("Issue 4, item 2", "openmcp lint checks one document, with exit codes for CI"),

  // Discovering
  "discover.every-file": discovery(
    "The client's flow",
    "Every file of the table is tried, and the links to an AI Catalog",
  ),
  "discover.no-guess": discovery(
    "The client's flow",
    "A card's place is never guessed when a catalog gave it",
  ),
  "discover.told": discovery("The client's flow", "It never connects to what it was not told to"),
  "discover.accept": discovery("The client's flow", "Accept names the card's type first"),
  "discover.remembers": discovery(
    "The client's flow",
    "ETags are stored and sent; a 304 without a stored body is read again",
  ),
  "discover.nothing": discovery("The client's flow", "Nothing published is an answer, not an error"),
  "discover.drift": discovery(
    "The client's flow",
    "Where the live answer contradicts a document, the runtime wins",
  ),
  "discover.chain": discovery("The client's flow", "Listed by A, hosted by B, runs at C"),
  "discover.log": discovery("The client's flow", "Each request is in a log with its outcome"),
  "discover.soft-404": discovery("Catalogs", "An HTML answer with 200 is no catalog"),
  "discover.no-evidence": discovery(
    "Catalogs",
    "401 and 403 are access denied; 5xx is try later, and what was known is kept",
  ),
  "discover.levels": discovery(
    "Cases",
    "A catalog that leads back is read once; four levels, a fifth is said",
  ),
  "discover.size": discovery(
    "Cases",
    "811 entries pass; of 100,000 what is behind 1 MiB or 10,000 entries is cut, and said",
  ),
  "discover.streamed": discovery("Cases", "A card over 1 MiB is stopped while it streams"),
  "discover.policy": discovery(
    "Cases",
    "No redirect, entry, remote or rebinding name leads past the network policy",
  ),
  "discover.templates": discovery("Cases", "No input of a template leads elsewhere"),
  "discover.charsets": discovery("Issue 4", "Byte order marks and wrong charsets are read, and told of"),
  "discover.one-relay": discovery("Catalogs", "Entries of one remote URL under several names are one relay"),
  "discover.dangling": discovery(
    "Issue 4, item 2",
    "An entry that leads to no document is wrong, and told with its catalog and the cure",
  ),
  "discover.cli": discovery(
    "Issue 4, item 2",
    "openmcp discover prints a tree with cures, and has exit codes for CI",
  ),
  "discover.client": discovery("Issue 4, item 6", "openmcp/client has discover for browsers too"),
  "probe.card": discovery(
    "Issue 4, item 3",
    "A relay without a descriptor is verified by its own card, and the record says so",
  ),
  "probe.card-own": discovery(
    "The client's flow",
    "A card is never a reason to trust: only its own origin's place proves",
  ),
  "probe.catalog-of-five": discovery(
    "Issue 4, item 3",
    "A domain with a catalog of five cards registers five relays",
  ),
  "probe.bare-as-before": discovery(
    "Issue 4, item 3",
    "A bare origin that publishes nothing works as before",
  ),
  "probe.card-cost": discovery("Issue 4, item 3", "A planned look at a verified relay costs no request more"),

  // Publishing discovery documents
  "publish.plain-get": discovery("Serving", "A plain GET works whatever Accept says"),
  "publish.cors": discovery("Serving", "Any origin may read, by the headers that the drafts name"),
  "publish.methods": discovery("Serving", "OPTIONS is 204, HEAD works, other methods are 405 with Allow"),
  "publish.conditional": discovery(
    "Serving",
    "A strong ETag, compared weakly, also in lists and as *; 304 repeats the headers",
  ),
  "publish.host": discovery("Serving", "Host is checked, Origin is not"),
  "publish.public-url": discovery(
    "Serving",
    "URLs come from the configured public URL, never from a request's Host",
  ),
  "publish.nothing-internal": discovery("Serving", "Never a credential, an internal address or user data"),
  "publish.own-card": discovery(
    "Serving",
    "The catalog's card lies beside its endpoint, and where the draft has it",
  ),
  "publish.ai-catalog": discovery("Serving", "An AI Catalog of the catalog's own relays, its own card first"),
  "publish.mcp-catalog": discovery("Serving", "An MCP Catalog of the catalog's own relays"),
  "publish.pages": discovery("Serving", "Paged as nested catalogs when long"),
  "publish.link": discovery("Discovery documents", "The AI Catalog is found by Link header and link element"),
  "publish.identifiers": discovery(
    "Serving",
    "A publisher's urn:air is kept unchanged, and other identifiers are minted under the catalog's own URL",
  ),
  "publish.derived-card": discovery(
    "Serving",
    "A relay's card here is under the catalog's URL, marked as derived",
  ),
  "publish.bounded": discovery("Serving", "Twenty thousand relays are never in memory at once"),
  "registry.list": discovery(
    "The official registry",
    "GET /v0.1/servers answers from our records, in the registry's shape",
  ),
  "registry.versions": discovery(
    "The official registry",
    "GET /v0.1/servers/{name}/versions and /versions/{version}",
  ),
  "registry.meta": discovery(
    "The official registry",
    "Our facts go under our own key of _meta, never under the official one",
  ),
  "export.formats": discovery(
    "Issue 4, item 7",
    "Relays are exported as openmcp, ai-catalog, mcp-catalog, registry, claude-desktop and vscode",
  ),
  "export.whole": discovery("Issue 4, item 7", "An export appears whole or not at all, and holds no secret"),

  // Imports
  "import.asks": discovery(
    "The official registry",
    "Imports ask for /v0.1/servers, latest, updated since, by cursor",
  ),
  "import.taken": discovery(
    "The official registry",
    "Active and latest is taken, one relay for each URL, its claimants kept",
  ),
  "import.skipped": discovery(
    "The official registry",
    "Templates with open variables, localhost and placeholders are skipped and counted by reason",
  ),
  "import.old-shape": discovery("The official registry", "The registry's shape of 2025 is read too"),
  "import.probed": discovery("The official registry", "Each URL is looked at before it is listed"),
  "import.slow": discovery(
    "The official registry",
    "A page may take 60 seconds; a registry that fails is waited for",
  ),
  "import.polite": discovery("Issue 4, item 5", "One page of a registry is asked for at a time"),
  "import.size": discovery("Issue 4, item 5", "60,763 entries are read, with bounded time and memory"),
  "import.resumed": discovery(
    "The official registry",
    "An import goes on after a kill, without losing or doubling",
  ),
  "import.repeated-cursor": discovery(
    "The official registry",
    "Reading stops on a repeated cursor, and says so",
  ),
  "import.broken-cursor": discovery("Issue 4, item 5", "A broken cursor is gone round, or said"),
  "import.dry-run": discovery("Issue 4, item 5", "A dry run counts, and lists nothing"),
  "import.cancel": discovery("Issue 4, item 5", "An import can be cancelled"),
  "import.route": wire("REST, under /v1", "POST /v1/import is the admin's, and answers 202 with a job", 4),
  "import.ai-catalog": discovery(
    "Issue 4, item 5",
    "An AI Catalog's servers are imported, nested catalogs too",
  ),
  "import.one-hop": discovery(
    "Serving",
    "What another catalog has learned from a peer is not taken as its own",
  ),
  "import.file": discovery(
    "Issue 4, item 5",
    "The HTTP servers of client configurations and lists are imported",
  ),
  "import.file-secrets": discovery(
    "Issue 4, item 5",
    "No header, variable or key of a configuration leaves the machine",
  ),

  // Tools as OpenAPI
  "openapi.mapping": openapi(
    "One POST operation a tool, its schemas themselves, absence as absence, options to leave out",
  ),
  "openapi.round-trip": openapi("Emit, text, import gives back the same tools, key order included"),
  "openapi.names": openapi(
    "Any name has a path, an operationId of the grammar and its own name back; doubles are refused",
  ),
  "openapi.paths": openapi("Server and paths follow from the endpoint, in one of two styles"),
  "openapi.schemas": openapi(
    "Schemas without local references are copied unchanged; data is never taken for a reference",
  ),
  "openapi.references": openapi(
    "A schema with local references moves to components with them, and comes back",
  ),
  "openapi.anchors": openapi("Anchors, dynamic references and relative identifiers are wrapped by an $id"),
  "openapi.valid": openapi(
    "Documents satisfy the official 3.1 schema and a second validator",
    "Tools out, proof",
  ),
  "openapi.compiles": openapi("Types generated from documents compile", "Tools out, proof"),
  "openapi.served": openapi(
    "By the type that Accept names first, a strong tag, 304, HEAD, 405 for other methods, never a stale answer",
  ),
  "openapi.callable": openapi(
    "A listed relay's document has operations that any OpenAPI client calls through the catalog",
  ),
  "openapi.printed": openapi(
    "openmcp openapi print writes the document of a relay, a URL or a command",
    "OpenAPI in, CLI",
  ),

  // Operating a catalog
  "rest.metrics": wire("REST, under /v1", "/metrics answers Prometheus's text", 3),
  "operate.ready": operated("Is it well?", "/readyz says which part is not ready, with 503"),
  "operate.log-line": operated(
    "Logs",
    "A request's line has id, route pattern, relay, status and time, and no path",
  ),
  "operate.log-secrets": operated("Logs", "No credential, body, question or argument is in any line"),
  "operate.labels": operated("Metrics", "No label value comes from a relay or a caller"),
  "operate.trace-parent": operated(
    "Traces",
    "A request's trace is its traceparent header's, a tool's its _meta's",
  ),
  "operate.trace-passed-on": operated("Traces", "The trace goes on to the relay in _meta, baggage never"),
  "operate.trace-content": operated("Traces", "No argument, token or question is in a span"),
  "operate.backup": operated("Backup and restore", "A backup holds one moment, and is whole or is not there"),
  "operate.restore": operated(
    "Backup and restore",
    "Every request is answered while a backup takes the database's place",
  ),
  "operate.restore-refuses": operated("Backup and restore", "A file that is no sound backup changes nothing"),
  "operate.numbers": operated("Backup and restore", "The numbers of changes never go back"),
  "operate.stop": operated("Stopping", "What is under way ends or is handed back; the exit code is 0"),

  // The kit
  "kit.both-eras": kit(
    "Serving",
    "Both protocol eras are served at one endpoint, by official clients of both lines",
  ),
  "kit.bare-post": kit("Serving", "A bare POST to the endpoint is answered with a JSON-RPC error"),
  "kit.limits": kit("Limits", "Bodies and sessions have named limits, and what is over them is told"),
  "kit.sessions": kit(
    "Sessions",
    "A legacy session ends by DELETE or when it was idle for its time, and is then 404",
  ),
  "kit.session-state": kit("Sessions", "A session has a state of its own, and no change of it is lost"),
  "kit.session-user": kit("Users", "A session belongs to the user that opened it; another is told 403"),
  "kit.changes-told": kit("Serving", "A change is told to clients of both eras that asked for it"),
  "kit.instances": kit(
    "Several instances",
    "A session that was opened at one instance goes on at another, its capabilities, state and settings with it",
  ),
  "kit.pending": kit(
    "Several instances",
    "What a call asks of its client is answered at any instance, and the call goes on",
  ),
  "kit.one-end": kit("Several instances", "A session that is ended at one instance is ended at all"),
  "kit.killed-instance": kit(
    "Several instances",
    "An instance that dies takes its running calls along, and no session",
  ),
  "kit.resumed-elsewhere": kit(
    "Several instances",
    "A stream that broke at one instance is taken up at another, where streams are kept",
  ),
  "kit.bus-loses-none": kit(
    "Several instances",
    "What instances tell each other is lost by no broken connection, and told once",
  ),
  "kit.slow-readers": kit(
    "Sessions",
    "A stream whose reader takes nothing ends, and what is kept for it is bounded",
  ),
  "kit.wrong-options": kit("Serving", "An option that can't be meant is refused when it is given, by name"),
  "kit.knock": kit(
    "Who may knock",
    "Host is checked on every route, Origin at the endpoint; documents are open to any origin",
  ),
  "kit.options": kit("Around the endpoint", "Each part is on by default and switched off by one option"),
  "kit.close": kit(
    "Serving",
    "close() is idempotent, takes no more, waits for calls under way, and not for ever",
  ),
  "kit.authenticate": kit(
    "Users",
    "authenticate is asked for every request of the endpoint and every route that shows tools",
  ),
  "kit.hidden": kit(
    "Users",
    "A hidden tool is told from an unknown one by no byte, in lists, calls and openapi.json",
  ),
  "kit.document-is-list": kit(
    "Users",
    "A user's openapi.json has exactly that user's tools/list, in its order",
  ),
  "kit.predicate-throws": kit("Users", "A predicate that throws gives 500 and nothing"),
  "kit.documents": kit(
    "Around the endpoint",
    "One description feeds descriptor, card, both catalogs and the Explorer's place",
  ),
  "kit.refuses-secrets": kit(
    "Around the endpoint",
    "A secret or an internal address in the description refuses to start and names the field",
  ),
  "kit.mounts": kit(
    "Mounting",
    "Under Hono, Express and Fastify the mount's prefix stands in every document",
  ),
  "kit.any-runtime": kit(
    "Mounting",
    "`fetch` needs no module and no global of Node's: it runs where there are web standards and no code is made of strings",
  ),
  "kit.onion": kit(
    "Layers",
    "Layers stand round tool calls in order, and see request, _meta, session, user and tool",
  ),
  "kit.traces": kit("Layers", "A call's span continues the traceparent of its _meta, else of its headers"),
  "kit.log-names": kit("Layers", "A call is logged by the tool's name, never by an argument"),
  "kit.fluent": kit(
    "A relay in twelve lines",
    "The short form takes zod, any Standard Schema and JSON Schema, with outputs, annotations and icons",
  ),
  "stdio.start": stdio(
    "A bundled server starts from what stdio needs: two files, without Node's HTTP and without what HTTP is served by",
  ),
  "stdio.guard": stdio(
    "Console output and stray writes go to standard error with one warning that names the caller",
  ),
  "stdio.strict": stdio("In strict mode a stray write ends the process"),
  "stdio.frames": stdio("Frames are split by line whatever the chunking"),
  "stdio.long-frame": stdio(
    "A frame over the limit is told and passed over, and those behind it are answered",
  ),
  "stdio.eof": stdio("The end of the input ends the process, and calls before it are answered"),
  "stdio.crash": stdio("An error that nobody caught is told on standard error and ends the process with 1"),

  // Tests of a relay, and what a change breaks
  "diff.breaks": kit("What breaks callers", "What breaks callers is told, with its place in the tool"),
  "diff.safe": kit("What breaks callers", "What does not break them is told as that"),
  "diff.empty": kit("What breaks callers", "A list against itself is no change"),
  "diff.widened": kit("What breaks callers", "A widened input and a narrowed output never break"),
  "diff.sound": kit(
    "What breaks callers",
    "Arguments that fit before fit after a change that is called compatible",
  ),
  "diff.sides": kit(
    "What breaks callers",
    "Relays by id, endpoints, commands, snapshots and OpenAPI documents are compared with each other",
  ),
  "diff.exit": kit(
    "What breaks callers",
    "The exit code is 0 when callers go on, 1 when a change breaks them",
  ),
  "snapshot.exact": kit("Tests", "A snapshot has exactly the user's tools/list, sorted and stable"),
  "snapshot.written": kit(
    "Tests",
    "A snapshot is written on the first run, and its absence in CI fails with the cure",
  ),
  "snapshot.mismatch": kit("Tests", "Another list fails with a readable difference and what it breaks"),
  "snapshot.servers": kit(
    "Tests",
    "Servers of the kit and of both lines of the SDK have snapshots, under Vitest and node:test",
  ),
  "example.runs": kit(
    "Examples",
    "Each example runs by node, takes its port from PORT, and serves clients of both lines",
  ),
  "example.conforms": kit("Examples", "The conformance suite passes what each example offers"),
  "example.listed": kit(
    "Examples",
    "A catalog lists each example as verified with every tool, and calls them",
  ),
  "example.key": kit("Examples", "A key from the environment is in no answer and no log"),
  "new.starter": kit(
    "A relay from a starter",
    "The starter is installed, tested, run and listed as verified",
  ),
  "new.own-package": kit(
    "A relay from a starter",
    "The starter depends on the package that wrote it, and names a version only where a registry gave that",
  ),
  "new.refuses": kit(
    "A relay from a starter",
    "A folder that is not empty is refused, and nothing is half written",
  ),
  "connect.one-call": flow("One call opens the transport, negotiates and returns a ready client"),
  "connect.two-steps": flow("An opened target can do one thing, initialize, once"),
  "connect.ready-values": flow("Server, capabilities, version and era are plain values of a ready client"),
  "connect.eras": flow("A server of the older era is spoken to as it expects, over HTTP and stdio"),
  "connect.barrier": flow("In the older era a push during the first call is not lost"),
  "connect.notifications": flow("Each reader of notifications has its own bounded buffer"),
  "connect.contract": flow(
    "Capabilities are declared only with a handler, and handlers only with their declaration",
  ),
  "connect.unhandled": flow(
    "A request nobody handles gets MethodNotFound; a handler that throws leaves the session alive",
  ),
  "connect.close-process": flow("Close ends stdin, waits, then SIGTERM and SIGKILL; calls under way reject"),
  "connect.close-session": flow("Close sends DELETE with the session id, bounded"),
  "connect.stderr": flow(
    "A command's standard error is piped, inherited or handed over; its end is on the error",
  ),
  "connect.cancels": flow("Every call takes a signal and a time, and cancels on the wire"),
  "connect.build-errors": flow("What is no target or names no client is a TypeError before any I/O"),
  "connect.errors": flow("Failures are one class with a stage, and the evidence in data"),
  "connect.auth": flow("401 and 403 are auth with the parsed challenge, and say nothing of the era"),
  "connect.session-lost": flow("A lost session is begun anew once"),
  "install.one-entry": install(
    "One entry of a configuration changes; comments, order, indent, mark and all other bytes stay",
  ),
  "install.unreadable": install("A file that does not parse is never touched; line and column are shown"),
  "install.atomic": install(
    "A kill in the middle of a write leaves the old file or the new one; mode and links stay",
  ),
  "install.concurrent": install("A file that changed meanwhile is not overwritten"),
  "install.idempotent": install("Installing again changes nothing"),
  "install.secrets": install("Secrets are written only when passed, and never printed"),
  "install.absolute": install("Commands and scripts are absolute; relative paths are refused"),
  "install.applications": install("Each application's file, key and entry on three platforms"),
  "install.runs": install(
    "The entry as it was written starts in a bare environment and is called by the official SDK",
  ),
  "install.names": install(
    "Installing the same server again is one entry; another of its name has a name of its own",
  ),
  "install.own-package": install(
    "An entry starts the OpenMCP that wrote it; a package's name stands in it only where a registry gave that",
  ),
  "install.doctor": install("Each broken set-up is told with its cause and cure"),
  "install.logs": install("An application's log of a server is found and followed"),
  "bridge.stdio": install(
    "A bridge carries calls, progress, cancel, notifications and requests of the server, in either era",
  ),
  "bridge.catalog": install("Without arguments a bridge reaches every relay of the catalog"),
  "bridge.credentials": install("A bridge's credentials are in no argument it prints and no log"),
  "bridge.bounded": install("A host that does not read holds up its server, and no memory"),
  "bridge.session": install("A bridge begins a lost session anew, and ends with its input"),
  "connect.tool-failure": flow("A tool's isError is a result, which unwrap throws"),
  // The Explorer (docs/explorer.md)
  "explorer.forms": explorer(
    "Tools",
    "Every tool has a form, whatever its schema is, and the JSON beside it in step",
  ),
  "explorer.exact": explorer("Tools", "Numbers are sent and shown digit by digit"),
  "explorer.results": explorer(
    "Results",
    "Results are text, tables, trees, images, sounds and links, and all of it as JSON",
  ),
  "explorer.verdict": explorer("Results", "A result is held against its output schema"),
  "explorer.questions": explorer(
    "Questions",
    "What a server asks for in the middle is answered by hand, and by nothing else",
  ),
  "explorer.eras": explorer("Where it is", "The browser speaks to servers of both eras"),
  "explorer.resources": explorer(
    "Resources and prompts",
    "Resources are read and followed, prompts filled in",
  ),
  "explorer.progress": explorer("Tools", "A call's progress is seen, and a call can be stopped"),
  "explorer.wire": explorer("The wire", "Every frame is seen as it was written"),
  "explorer.masked": explorer("The wire", "Secrets are masked, and a credential is kept in memory only"),
  "explorer.inert": explorer(
    "Hostile servers",
    "Texts of servers are text: nothing of them runs, and links lead to http and https only",
  ),
  "explorer.policy": explorer(
    "Hostile servers",
    "The page's policy allows its own script and style, and is never broken by the page",
  ),
  "explorer.budget": explorer(
    "Hostile servers",
    "The page is under 150 kB compressed, and asks no third party for anything",
  ),
  "explorer.accessible": explorer(
    "For everyone",
    "axe-core finds nothing, in both colour schemes, narrow and wide",
  ),
  "explorer.copy": explorer(
    "Copy as",
    "A call is copied as curl, command, code and configuration, without the credential",
  ),
  "explorer.kit": explorer("Where it is", "A relay made with the kit has it at /explorer, under any mount"),
  "explorer.catalog": explorer("Where it is", "A catalog has it at /explorer, and passes its requests on"),
  "passage.whole": explorer(
    "Where it is, and how calls go",
    "Any MCP client has a listed relay whole through the catalog, in both eras, as it answers",
  ),
  "passage.sessions": explorer(
    "Where it is, and how calls go",
    "A session of the older era is opened, used and ended at the relay",
  ),
  "passage.headers": explorer(
    "Where it is, and how calls go",
    "Headers are built afresh both ways; of credentials only the relay's own goes on, and it is kept nowhere",
  ),
  "passage.bounded": explorer(
    "Where it is, and how calls go",
    "Bytes, time, streams at once and a slow reader's share of memory are bounded; who hangs up ends it at the relay",
  ),
  "passage.origin": explorer(
    "Where it is, and how calls go",
    "Nothing goes to another origin than the listed one, and no page of a foreign origin uses it",
  ),
  "passage.circle": explorer(
    "Where it is, and how calls go",
    "Catalogs that lead to each other make no circle",
  ),
  "explorer.inspect": explorer(
    "Where it is",
    "openmcp inspect puts it in front of a relay, a URL or a command, for this machine only",
  ),

  // The directory
  "directory.no-script": directory(
    "The directory",
    "Searching, narrowing, paging and registering work without JavaScript",
  ),
  "directory.as-you-type": directory(
    "The directory",
    "Results come while one types, and nothing on the page moves for it",
  ),
  "directory.reasons": directory("The directory", "Each hit says which words it is there for"),
  "directory.facets": directory(
    "The directory",
    "Online, verified, credential and protocol narrow, with counts that are true where they are shown",
  ),
  "directory.relay": directory("A relay's page", "Who says so, and whatever nobody states, is said"),
  "directory.any-tool": directory(
    "A relay's page",
    "How to call it is shown for whichever tool one chooses, and means that tool whatever its name is made of",
  ),
  "directory.refusals": directory(
    "For who runs a catalog, and for who runs a relay",
    "A path that there is not is a page with a way on for people, and a problem for programs, behind every door",
  ),
  "directory.kept": directory(
    "For who runs a catalog, and for who runs a relay",
    "What is kept of its pages is bounded, and never seen: after any change they are as if made anew",
  ),
  "directory.cure": directory("A relay's page", "A relay that is not online says why, with the cure"),
  "directory.tools": directory(
    "A relay's page",
    "Tools are shown in words and as JSON, however many and however strange",
  ),
  "directory.steps": directory(
    "Registering",
    "Each step of a look is shown as it is done, and what came of it with the cure",
  ),
  "directory.budgets": directory(
    "Registering",
    "The form is refused from foreign pages, and draws on its sender's budget",
  ),
  "directory.feeds": directory(
    "The directory",
    "Changes are an Atom feed, of all relays and of each, also of one that is gone",
  ),
  "directory.hostile": directory(
    "For who runs a relay",
    "No word of a relay is markup, a link elsewhere than http(s), or reaches beyond its place",
  ),
  "directory.policy": directory(
    "For who runs a relay",
    "Nothing inline runs, nothing foreign is loaded, and no page breaks its own policy",
  ),
  "directory.light": directory("The directory", "The directory with all that it loads is under 60 kB"),
  "directory.accessible": directory(
    "The directory",
    "axe-core finds nothing on any page, in both colour schemes, and none scrolls sideways",
  ),
} as const satisfies Readonly<Record<string, Requirement>>;

export type RequirementId = keyof typeof requirements;

/** A test's options that say what it proves: `it("…", verifies("id.slug"), () => { … })`. */
export function verifies(...ids: readonly [RequirementId, ...RequirementId[]]): TestOptions {
  return { meta: { verifies: ids } };
}

declare module "vitest" {
  interface TaskMeta {
    verifies?: readonly RequirementId[];
  }
}
