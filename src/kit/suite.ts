/**
 * What every adapter of a server's shared state does, as cases for any test framework: a store of sessions, a bus of changes. They say
 * nothing of files, tables or speed: that is each adapter's own to test.
 */
export { eventBusCases } from "./suite/event-buses.ts";
export type { EventBusCase, SessionStoreCase } from "./suite/kit-case.ts";
export { sessionStoreCases } from "./suite/session-stores.ts";
