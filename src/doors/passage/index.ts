/**
 * The door through which an MCP client has a listed relay whole, at `/v1/relays/:id/mcp`: Streamable HTTP, as the relay speaks it. It reads
 * no message but to see that it is one, and keeps no session.
 */
export { type PassageDoor, type PassageDoorOptions, passageDoor } from "./passage-door.ts";
export { passagePaths } from "./paths.ts";
