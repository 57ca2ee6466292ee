/**
 * Links that open an application with a relay filled in: the only other schemes a page has, made here from values that are encoded,
 * never from a relay's own text as a link. The application shows what it was given and asks before it adds it.
 */

export interface Installed {
  /** What the application is to call it. */
  readonly name: string;
  /** The endpoint; http or https. */
  readonly url: string;
}

/** VS Code: "Install from the web", `vscode:mcp/install?` and the server's JSON. */
export function vscodeLink({ name, url }: Installed): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: "http", url }))}`;
}

/** Cursor: "MCP Install Links", the configuration in base64. */
export function cursorLink({ name, url }: Installed): string {
  const config = Buffer.from(JSON.stringify({ url })).toString("base64");
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(config)}`;
}
