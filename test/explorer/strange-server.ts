/** A relay whose tools have every kind of schema and answer every kind of content, and whose texts are hostile. Modern and legacy. */
import { fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { type Kit, type ServeOptions, serve } from "../../src/kit/index.ts";
import type { JsonObject } from "../../src/spec/index.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

export const HOSTILE = `<img src=x onerror="globalThis.broken=1"><script>globalThis.broken=1</script> \u202Eright to left\u202C مرحبا 🎉🇨🇭 [link](javascript:alert(1)) ${"long ".repeat(1_000)}`;

export const FORM_SCHEMA: JsonObject = {
  type: "object",
  required: ["name", "place", "kind"],
  properties: {
    name: { type: "string", title: "Name", description: "Who it is for.", minLength: 1 },
    kind: { enum: ["small", "large", 3, null], default: "small" },
    always: { const: "so" },
    count: { type: "integer", minimum: 1, maximum: 9, default: 2 },
    exact: { type: "number", description: "Kept digit by digit." },
    when: { type: "string", format: "date-time" },
    day: { type: "string", format: "date" },
    mail: { type: "string", format: "email", examples: ["you@example.com"] },
    agreed: { type: "boolean" },
    file: { type: "string", contentEncoding: "base64" },
    note: { type: ["string", "null"] },
    tags: { type: "array", items: { type: "string" } },
    days: { type: "array", uniqueItems: true, items: { enum: ["mon", "tue", "wed"] } },
    place: {
      type: "object",
      required: ["city"],
      properties: { city: { type: "string" }, zip: { type: "string", pattern: "^[0-9]{4}$" } },
    },
    shape: {
      oneOf: [
        {
          type: "object",
          required: ["type", "radius"],
          properties: { type: { const: "circle" }, radius: { type: "number" } },
        },
        {
          type: "object",
          required: ["type", "side"],
          properties: { type: { const: "square" }, side: { type: "number" } },
        },
      ],
    },
    tree: { $ref: "#/$defs/node" },
    labels: { type: "object", additionalProperties: { type: "string" } },
    anything: {},
  },
  $defs: {
    node: {
      type: "object",
      required: ["value"],
      properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
    },
  },
};

const TABLE = fromJsonSchema<{ readonly rows: readonly object[] }>({
  type: "object",
  required: ["rows"],
  properties: { rows: { type: "array", items: { type: "object" } } },
} as never);

/** `register` may add tools. */
export function strangeServer(): McpServer {
  const server = new McpServer(
    { name: "strange", title: "A strange server", version: "1.0.0" },
    { instructions: HOSTILE, capabilities: { resources: { subscribe: true } } },
  );
  const open = fromJsonSchema<JsonObject>({ type: "object" } as never);
  server.registerTool(
    "form",
    {
      title: "Every kind of field",
      description: "Answers its arguments as they came.",
      inputSchema: fromJsonSchema<JsonObject>(FORM_SCHEMA as never),
    },
    (args) => ({ content: [{ type: "text", text: JSON.stringify(args) }] }),
  );
  server.registerTool(
    "table",
    { description: "Rows.", outputSchema: TABLE, annotations: { readOnlyHint: true, openWorldHint: false } },
    () => {
      const structuredContent = {
        rows: [
          { city: "Bern", people: 134_794, link: "https://bern.example/" },
          { city: "Zürich", people: 421_878, link: "javascript:alert(1)" },
        ],
      };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  server.registerTool("content", { description: HOSTILE, inputSchema: open }, () => ({
    content: [
      { type: "text", text: HOSTILE },
      { type: "image", data: PIXEL, mimeType: "image/png" },
      {
        type: "image",
        data: btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.broken=1"/>'),
        mimeType: "image/svg+xml",
      },
      { type: "audio", data: SOUND, mimeType: "audio/wav" },
      { type: "resource_link", uri: "javascript:globalThis.broken=1", name: "A bad link" },
      { type: "resource_link", uri: "strange://text", name: "A resource" },
      {
        type: "resource",
        resource: { uri: "strange://inside", mimeType: "text/plain", text: "carried along" },
      },
    ],
  }));
  server.registerTool("fails", { description: "Says that it failed." }, () => ({
    isError: true,
    content: [{ type: "text", text: "No such luck." }],
  }));
  server.registerTool("asks", { description: "Asks before it goes on." }, (context) => {
    const answers = context.mcpReq.inputResponses as
      | { readonly who?: { readonly content?: { readonly name?: string } } }
      | undefined;
    if (answers?.who === undefined) {
      return inputRequired({
        inputRequests: {
          who: inputRequired.elicit({
            message: "Who are you?",
            requestedSchema: {
              type: "object",
              required: ["name"],
              properties: { name: { type: "string", title: "Your name" } },
            },
          }),
        },
      });
    }
    return { content: [{ type: "text", text: `Hello, ${answers.who.content?.name ?? "nobody"}!` }] };
  });
  server.registerResource(
    "text",
    "strange://text",
    { description: "A text.", mimeType: "text/plain" },
    (uri) => ({
      contents: [{ uri: uri.href, mimeType: "text/plain", text: "So it is written." }],
    }),
  );
  server.registerPrompt("greet", { description: "A greeting." }, () => ({
    messages: [{ role: "user", content: { type: "text", text: "Say hello." } }],
  }));
  return server;
}

export function strangeKit(options: Partial<ServeOptions> = {}): Kit {
  return serve({ server: strangeServer, ...options });
}
