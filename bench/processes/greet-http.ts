/** One server behind one socket: `kit`, or `bare`, the SDK's own handler on the same adapter, or `sdk`, on the SDK's. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { serve } from "../../src/kit/index.ts";
import { greetServer } from "../lib/greet-server.ts";

process.on("disconnect", () => process.exit(0));
const tell = (origin: string) => process.send?.({ origin });
const which = process.argv[2];
if (which === "kit") {
  tell((await serve({ server: greetServer }).listen()).origin);
} else {
  const handler = createMcpHandler(greetServer);
  const onHono = getRequestListener((request) => handler.fetch(request));
  const onSdk = toNodeHandler(handler);
  const server = createServer((incoming, outgoing) => {
    void (which === "bare" ? onHono(incoming, outgoing) : onSdk(incoming, outgoing));
  });
  server.listen(0, "127.0.0.1", () => tell(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}
