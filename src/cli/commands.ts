/** All commands, in the order of the help. Each is loaded only when it is asked for. */
import type { CommandEntry } from "./command.ts";

export const commands: readonly CommandEntry[] = [
  {
    name: "find",
    summary: "Find tools by what they should do",
    group: "Find and call",
    load: async () => (await import("./commands/find.ts")).find,
  },
  {
    name: "call",
    summary: "Call a relay's tool through the catalog",
    group: "Find and call",
    load: async () => (await import("./commands/call.ts")).call,
  },
  {
    name: "relays",
    summary: "List the relays of a catalog",
    group: "Find and call",
    load: async () => (await import("./commands/relays.ts")).relays,
  },
  {
    name: "show",
    summary: "Show all that is known of one relay",
    group: "Find and call",
    load: async () => (await import("./commands/show.ts")).show,
  },
  {
    name: "tools",
    summary: "List a relay's tools, or explain one",
    group: "Find and call",
    load: async () => (await import("./commands/tools.ts")).tools,
  },
  {
    name: "watch",
    summary: "Follow what changes in a catalog",
    group: "Find and call",
    load: async () => (await import("./commands/watch.ts")).watch,
  },
  {
    name: "history",
    summary: "Show a relay's uptime, and how its tools changed",
    group: "Find and call",
    load: async () => (await import("./commands/history.ts")).history,
  },
  {
    name: "serve",
    summary: "Run a catalog",
    group: "Keep a catalog",
    ownsSignals: true,
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  {
    name: "add",
    summary: "Register relays by URL",
    group: "Keep a catalog",
    load: async () => (await import("./commands/add.ts")).add,
  },
  {
    name: "refresh",
    summary: "Probe a relay now",
    group: "Keep a catalog",
    load: async () => (await import("./commands/refresh.ts")).refresh,
  },
  {
    name: "rm",
    summary: "Remove a relay (admin)",
    group: "Keep a catalog",
    load: async () => (await import("./commands/rm.ts")).rm,
  },
  {
    name: "peer",
    summary: "Name other catalogs to learn relays from (admin)",
    group: "Keep a catalog",
    load: async () => (await import("./commands/peer.ts")).peer,
  },
  {
    name: "import",
    summary: "Take relays from a registry, a catalog or a file (admin)",
    group: "Keep a catalog",
    load: async () => (await import("./commands/import.ts")).importRelays,
  },
  {
    name: "export",
    summary: "Write relays as a catalog, or for an application",
    group: "Keep a catalog",
    load: async () => (await import("./commands/export.ts")).exportRelays,
  },
  {
    name: "webhook",
    summary: "Subscribe to changes, and receive them",
    group: "Keep a catalog",
    load: async () => (await import("./commands/webhook.ts")).webhook,
  },
  {
    name: "backup",
    summary: "Copy a catalog's database to a file (admin)",
    group: "Keep a catalog",
    load: async () => (await import("./commands/backup.ts")).backup,
  },
  {
    name: "restore",
    summary: "Put a backup in a catalog's place (admin)",
    group: "Keep a catalog",
    load: async () => (await import("./commands/restore.ts")).restore,
  },
  {
    name: "probe",
    summary: "Look at a URL as a catalog would; needs none",
    group: "Look at a relay",
    load: async () => (await import("./commands/probe.ts")).probe,
  },
  {
    name: "discover",
    summary: "Read what a domain publishes about MCP servers, and whether it is so",
    group: "Look at a relay",
    load: async () => (await import("./commands/discover.ts")).discover,
  },
  {
    name: "descriptor",
    summary: "Write a relay's openmcp.json, filled by a live look",
    group: "Look at a relay",
    load: async () => (await import("./commands/descriptor.ts")).descriptor,
  },
  {
    name: "openapi",
    summary: "Write a server's tools as an OpenAPI document",
    group: "Look at a relay",
    load: async () => (await import("./commands/openapi.ts")).openapi,
  },
  {
    name: "lint",
    summary: "Check a discovery document: descriptor, card, catalog, server.json",
    group: "Look at a relay",
    load: async () => (await import("./commands/lint.ts")).lint,
  },
  {
    name: "completion",
    summary: "Print completion for bash, zsh or fish",
    group: "This tool",
    load: async () => (await import("./commands/completion.ts")).completion,
  },
];
