/** The events door: the catalog's changes as Server-Sent Events. */
export { type EventsDoor, type EventsDoorOptions, eventsDoor } from "./events-door.ts";
export { eventsPaths } from "./paths.ts";
