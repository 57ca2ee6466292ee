/** The catalog that the global options name, as a client that ends with the command. */
import { CatalogClient } from "../client/index.ts";
import { DEFAULT_CATALOG } from "./default-catalog.ts";
import type { Shell } from "./shell.ts";

/** Dispose of it with `await using`. */
export function openCatalog(shell: Shell): CatalogClient {
  const { catalog, token, transport, timeout } = shell.options;
  return new CatalogClient(catalog.trim() === "" ? DEFAULT_CATALOG : catalog, {
    transport,
    signal: shell.signal,
    // What is printed as JSON is printed as it came.
    exactNumbers: shell.json,
    ...(token === undefined || token === "" ? {} : { token }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
  });
}
