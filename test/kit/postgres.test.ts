/** What instances share in PostgreSQL: the suites, what is PostgreSQL's own, and two processes behind a round-robin. */
import { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPostgres, type PostgresShared } from "../../src/kit/postgres/index.ts";
import { eventBusCases, sessionStoreCases } from "../../src/kit/suite.ts";
import { verifies } from "../requirements.ts";
import { startPostgres, type TestPostgres } from "./embedded-postgres.ts";
import { type Instance, startInstance } from "./instances.ts";
import { processCases, sharedCases } from "./shared-cases.ts";

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = new Pool({ connectionString: postgres.connectionString });
  pool.on("error", () => {});
}, 60_000);
afterAll(async () => {
  await pool?.end();
  await postgres?.[Symbol.asyncDispose]();
});

const open = (schema?: string): Promise<PostgresShared> =>
  openPostgres({ client: pool, ...(schema === undefined ? {} : { schema }) });

describe("sessions in PostgreSQL", () => {
  let shared: PostgresShared;
  beforeAll(async () => {
    shared = await open("suite");
  });
  beforeEach(() => pool.query("TRUNCATE suite.sessions CASCADE") as never);
  afterAll(() => shared.close());

  it.each(sessionStoreCases)("$name", ({ run }) => run(shared.store));
});

describe("a bus in PostgreSQL", () => {
  let one: PostgresShared;
  let other: PostgresShared;
  beforeAll(async () => {
    one = await open("suite");
    other = await openPostgres({ client: postgres.connectionString, schema: "suite" });
  });
  afterAll(async () => {
    await one.close();
    await other.close();
  });

  it.each(eventBusCases)("$name", ({ run }) => run(one.bus, other.bus));

  it(
    "loses nothing when the connection that listens breaks, tells nothing twice, and says that it was away",
    verifies("kit.bus-loses-none"),
    async () => {
      await using far = await openPostgres({ client: postgres.connectionString, schema: "broken" });
      await using near = await openPostgres({ client: pool, schema: "broken" });
      const heard: string[] = [];
      const done = Promise.withResolvers<void>();
      await far.bus.subscribe((event) => {
        heard.push(event.kind);
        if (event.kind === "last") done.resolve();
      });
      await near.bus.publish({ kind: "first" });
      const broken = await pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'openmcp' AND pid <> pg_backend_pid()",
      );
      expect(broken.rowCount).toBeGreaterThan(0);
      await near.bus.publish({ kind: "second" });
      await near.bus.publish({ kind: "third", long: "x".repeat(9_000) });
      await expect.poll(() => heard).toContain("bus_gap");
      await near.bus.publish({ kind: "last" });
      await done.promise;
      expect(heard.filter((kind) => kind !== "bus_gap")).toEqual(["first", "second", "third", "last"]);
    },
  );
});

describe("its tables", () => {
  it("are made once by instances that start together, and kept", async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => open("together")));
    for (const { close } of all) await close();
    const { rows } = await pool.query("SELECT version FROM together.migrations");
    expect(rows).toEqual([{ version: 1 }]);
    await (await open("together")).close();
  });

  it("are made by a role that may create nothing but them, in a schema that is its own", async () => {
    await pool.query("CREATE ROLE modest LOGIN PASSWORD 'modest'");
    await pool.query("CREATE SCHEMA modest AUTHORIZATION modest");
    const client = postgres.connectionString.replace("postgres:postgres@", "modest:modest@");
    await (await openPostgres({ client, schema: "modest" })).close();
    await expect(openPostgres({ client, schema: "elsewhere" })).rejects.toMatchObject({ code: "42501" });
  });

  it("are refused where a newer version made them, and with a name that is none", async () => {
    await (await open("newer")).close();
    await pool.query("INSERT INTO newer.migrations VALUES (99)");
    await expect(open("newer")).rejects.toMatchObject({ code: "schema-too-new" });
    await expect(open('a"; DROP TABLE x')).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("two processes that share PostgreSQL", () => {
  let a: Instance;
  let b: Instance;
  beforeEach(async () => {
    const database = ["postgres", postgres.connectionString, "processes"];
    [a, b] = await Promise.all([startInstance("A", database), startInstance("B", database)]);
  });
  afterEach(async () => {
    await a[Symbol.asyncDispose]();
    await b[Symbol.asyncDispose]();
  });

  it("are one relay", verifies("kit.instances", "kit.pending", "kit.one-end"), async () => {
    for (const { run } of sharedCases) await run(a.url, b.url);
  });

  it.each(processCases)("$name", verifies("kit.killed-instance", "kit.resumed-elsewhere"), ({ run }) =>
    run(a, b),
  );
});
