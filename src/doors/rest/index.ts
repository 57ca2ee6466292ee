/** The REST door: wire.md "REST, under /v1", derived from the operations table. */
export type { OperatorRoutes, Readiness } from "./operator-routes.ts";
export { type RestDoorOptions, restDoor } from "./rest-door.ts";
