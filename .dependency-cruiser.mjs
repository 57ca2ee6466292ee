/**
 * The house's import directions, as rules (ARCHITECTURE.md draws the same table). Type-only imports count like any other.
 * test/architecture plants one breach of each rule and expects exactly its name back, and counts the modules read,
 * so that this gate can't rot into an empty pass.
 */

/** What each room may import, besides itself. A room that is not named here may not exist. */
const directions = {
  spec: [],
  net: ["spec"],
  http: ["spec"],
  relay: ["spec"],
  discovery: ["spec"],
  search: ["spec"],
  openapi: ["spec", "search"],
  store: ["spec", "search"],
  catalog: ["spec", "relay", "discovery", "search", "store"],
  doors: ["spec", "http", "openapi", "catalog"],
  kit: ["spec", "http", "openapi"],
  client: ["spec", "discovery"],
  desktop: ["spec", "client"],
  testing: ["spec", "store", "kit"],
};
/** server/ composes everything but the command line; cli/ may enter any room. */
const products = Object.keys(directions).filter((room) => room !== "testing");
directions.server = products;
directions.cli = [...products, "server", "testing"];

const rooms = Object.keys(directions);
const storeAdapters = "^src/store/(?:sqlite|postgres)/";

/** The files by which a room is entered. */
const entrances = [
  "^src/[^/]+/index[.]ts$",
  "^src/store/suite[.]ts$",
  `${storeAdapters}index[.]ts$`,
  "^src/doors/[^/]+/index[.]ts$",
  "^src/client/stdio/index[.]ts$",
];

/** Rooms that run in browsers and on edge runtimes, or are pure: no module of Node's own. */
const withoutNode = "^src/(?:spec|relay|discovery|search|openapi|client)/";
/** Who may open or accept a connection. */
const socketRooms = "^src/(?:net|server|cli|kit|testing)/";
const socketModules =
  "^(?:node:)?(?:https?|http2|net|tls|dgram|dns)(?:/|$)|node_modules/(?:undici|@hono/node-server)/";

export default {
  forbidden: [
    ...rooms.map((room) => ({
      name: `direction-${room}`,
      comment: `${room}/ may import ${directions[room].join(", ") || "no other room"}`,
      severity: "error",
      from: { path: `^src/${room}/` },
      to: { path: "^src/", pathNot: [room, ...directions[room]].map((allowed) => `^src/${allowed}/`) },
    })),
    {
      name: "unknown-room",
      comment:
        "Every file of src/ lives in a room that the table above knows; importing one that does not breaks a direction",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(?:${rooms.join("|")})/` },
      to: {},
    },
    {
      name: "entrance",
      comment: "Another room is entered through its index.ts",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: { path: "^src/", pathNot: ["^src/$1/", ...entrances] },
    },
    {
      name: "adapter-to-adapter",
      comment: "A store adapter shares the store's own files, and nothing with another adapter",
      severity: "error",
      from: { path: "^src/store/(sqlite|postgres)/" },
      to: { path: storeAdapters, pathNot: "^src/store/$1/" },
    },
    {
      name: "store-knows-no-adapter",
      comment: "The store's interface and suite are free of any database",
      severity: "error",
      from: { path: "^src/store/[^/]+$" },
      to: { path: storeAdapters },
    },
    {
      name: "adapter-is-composed",
      comment: "Only the composition roots choose a database",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/(?:server|cli)/", "^src/store/"] },
      to: { path: storeAdapters },
    },
    {
      name: "door-to-door",
      comment: "A door never imports another door",
      severity: "error",
      from: { path: "^src/doors/([^/]+)/" },
      to: { path: "^src/doors/", pathNot: "^src/doors/$1/" },
    },
    {
      name: "spec-imports-nothing",
      comment: "spec/ has no dependency, neither a package nor a module of Node's",
      severity: "error",
      from: { path: "^src/spec/" },
      to: { pathNot: "^src/" },
    },
    {
      name: "without-node",
      comment: "These rooms run anywhere: no module of Node's own",
      severity: "error",
      from: { path: withoutNode, pathNot: ["^src/spec/", "^src/client/stdio/"] },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "sockets",
      comment:
        "Connections are opened by net/ and accepted by the composition roots; all others are handed an exchange",
      severity: "error",
      from: { path: "^src/", pathNot: [socketRooms, withoutNode] },
      to: { path: socketModules },
    },
    {
      name: "no-cycle",
      comment: "No cycles, type-only imports included",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "resolvable",
      comment: "An import that leads nowhere is checked by no other rule",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "shipped-dependency",
      comment: "What the package imports at run time is a dependency of it, or a peer that may be missing",
      severity: "error",
      from: { path: "^src/" },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["type-only", "npm-peer"],
      },
    },
  ],
  options: {
    parser: "tsc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      mainFields: ["module", "main", "types"],
    },
  },
};
