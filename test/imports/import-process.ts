/** Runs the imports of the store that it is given until it is killed or they have ended: `<database>`. */
import { createImportRunner } from "../../src/catalog/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { startImportCatalog } from "./fixture.ts";

const store = await openSqliteStore({ path: process.argv[2] ?? "" });
const { catalog } = await startImportCatalog({ store, start: false });
const runner = createImportRunner({ ...catalog.context, newId: () => crypto.randomUUID() });
process.on("disconnect", () => process.exit(0));
runner.start();
process.send?.("importing");
