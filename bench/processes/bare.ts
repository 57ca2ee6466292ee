/**
 * The ceilings: what the same router and the same client do with nothing else to do.
 * GET /constant/:bytes answers so many bytes; POST /forward/:port/:host posts the body on with `undici.request`.
 */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { request } from "undici";

const constants = new Map<string, string>();
const app = new Hono();
app.get("/constant/:bytes", (context) => {
  const bytes = context.req.param("bytes");
  let body = constants.get(bytes);
  if (body === undefined) {
    body = JSON.stringify("x".repeat(Math.max(0, Number(bytes) - 2)));
    constants.set(bytes, body);
  }
  return context.body(body, 200, { "content-type": "application/json" });
});
app.post("/forward/:port/:host", async (context) => {
  const { port, host } = context.req.param();
  const answer = await request(`http://${host}:${port}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: await context.req.text(),
  });
  return context.body(await answer.body.text(), 200, { "content-type": "application/json" });
});
process.on("disconnect", () => process.exit(0));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, (info) => {
  process.send?.({ origin: `http://127.0.0.1:${info.port}` });
});
