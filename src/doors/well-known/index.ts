/** The well-known door: the catalog's own discovery documents. */
export { type WellKnownDoorOptions, wellKnownDoor } from "./well-known-door.ts";
