/** The MCP door: the catalog as an MCP server, for agents. */
export { type McpDoor, type McpDoorOptions, mcpDoor } from "./mcp-door.ts";
