/**
 * The ceiling of looking again: `undici.request` doing the same exchanges with nothing else, reading every body; and the floor of
 * reads meanwhile: any GET here is answered with a constant of a record's size. Takes endpoint URLs, how many at once, and what of each
 * is asked: `descriptor`, or a method to post; answers the milliseconds it took.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { post, readDescriptor } from "../lib/exchanges.ts";

process.on("disconnect", () => process.exit(0));
interface Work {
  readonly urls: readonly string[];
  readonly lanes: number;
  readonly asks: readonly string[];
}

process.on("message", async ({ urls, lanes, asks }: Work) => {
  const started = performance.now();
  let index = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (index < urls.length) {
        const url = urls[index++] as string;
        for (const what of asks) await (what === "descriptor" ? readDescriptor(url) : post(url, what));
      }
    }),
  );
  process.send?.({ ms: performance.now() - started });
});

const RECORD = JSON.stringify("x".repeat(8_000));
const server = createServer((_request, response) => {
  response.setHeader("content-type", "application/json").end(RECORD);
});
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
