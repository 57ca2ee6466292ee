/**
 * `npm run bench [-- name [arguments]]`: runs one benchmark, or says which there are. Each is a module whose `run` takes
 * the arguments; nothing here is part of the gate, and nothing here asserts.
 */
const benches: Readonly<Record<string, { readonly what: string; readonly load: () => Promise<Bench> }>> = {
  catalog: {
    what: "the whole catalog beside its ceilings; arguments: numbers of relays (default 500 5000 20000)",
    load: () => import("./catalog.ts"),
  },
  sweep: {
    what: "all relays due at once, each answering in 50 ms; arguments: numbers of relays (default 20000)",
    load: () => import("./sweep.ts"),
  },
  store: {
    what: "the store alone, beside SQLite itself; arguments: numbers of relays",
    load: () => import("./store.ts"),
  },
  pages: {
    what: "the directory's pages beside the store's read of the same relays; arguments: numbers of relays (default 20000)",
    load: () => import("./pages.ts"),
  },
  changes: {
    what: "what watching costs; arguments: relays and readers (default 5000 500)",
    load: () => import("./changes.ts"),
  },
  metrics: {
    what: "what counting costs a read; arguments: rounds (default 12)",
    load: () => import("./metrics.ts"),
  },
  peers: {
    what: "reading a busy peer; arguments: relays of each catalog (default 2000)",
    load: () => import("./peers.ts"),
  },
  webhooks: {
    what: "from a change to its receivers; arguments: subscriptions and events (default 200 50)",
    load: () => import("./webhooks.ts"),
  },
  openapi: {
    what: "every real tool list as OpenAPI and back, judged and compiled; no arguments",
    load: () => import("./openapi.ts"),
  },
  kit: {
    what: "a relay of the kit beside the bare SDK: calls a second, and the start over stdio; arguments: rounds (default 10)",
    load: () => import("./kit.ts"),
  },
};

interface Bench {
  run(args: readonly string[]): Promise<void>;
}

const [name = "catalog", ...args] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined) {
  console.error(`No benchmark ${JSON.stringify(name)}. There are:`);
  for (const [known, { what }] of Object.entries(benches)) console.error(`  ${known.padEnd(10)} ${what}`);
  process.exitCode = 2;
} else {
  await (await bench.load()).run(args);
}
