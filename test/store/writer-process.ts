/**
 * Writes relays to the file it is given until it is killed, saying each on standard output once it has been answered for;
 * it also steps the search index, so that a kill may come in the middle of anything.
 */
import { randomUUID } from "node:crypto";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { sampleRecord, sampleTool, sampleWrite } from "../../src/store/suite/samples.ts";

const [path = ""] = process.argv.slice(2);
const store = await openSqliteStore({ path });
const run = randomUUID().slice(0, 8);
for (let index = 0; ; index += 1) {
  const id = `relay-${index}-${run}.example`;
  const tools = Array.from({ length: 5 }, (_, tool) => sampleTool(`tool_${tool}`, `Finds word${index}.`));
  const events = [{ id: randomUUID(), event: "relay.registered" }] as const;
  const outcome = await store.relays.save(sampleWrite(sampleRecord(id, { tools }), { events }));
  if (!outcome.ok) throw new Error(outcome.conflict);
  process.stdout.write(`${id} ${outcome.revision}\n`);
  if (index % 4 === 3) await store.searchIndex.step();
  // Lets standard output drain: what was said is what is held against the file.
  if (index % 8 === 7) await new Promise((resolve) => setImmediate(resolve));
}
