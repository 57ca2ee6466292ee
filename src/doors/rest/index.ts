/** The REST door: wire.md "REST, under /v1", derived from the operations table. */
export { type RestDoorOptions, restDoor } from "./rest-door.ts";
