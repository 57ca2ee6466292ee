/**
 * A receiver of deliveries: notes which came to which path, when, and how long after their event. A path that begins with
 * `/hang` is answered after ten seconds. Told `report`, it sends what it has noted and forgets it; told `count`, how many; told
 * `hanging`, how many hang; told `release`, it lets go of those and says how many they were.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceiverReport {
  readonly count: number;
  /** Pairs of path and event that came. */
  readonly distinct: number;
  /** Deliveries that came again, and those of them whose id was another one. */
  readonly repeated: number;
  readonly otherId: number;
  /** Milliseconds from the event to its arrival. */
  readonly lags: readonly number[];
  /** Milliseconds from the first arrival to the last. */
  readonly spanMs: number;
}

let came = new Map<string, string>();
let repeated = 0;
let otherId = 0;
let lags: number[] = [];
let first = 0;
let last = 0;
const HANG_MS = 10_000;
const hanging = new Map<ServerResponse, NodeJS.Timeout>();

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const path = request.url ?? "";
    if (path.startsWith("/hang")) {
      const timer = setTimeout(() => response.writeHead(204).end(), HANG_MS);
      hanging.set(response, timer);
      response.on("close", () => {
        clearTimeout(timer);
        hanging.delete(response);
      });
      return;
    }
    const now = Date.now();
    // The beginning has all that is asked; parsing the record would cost more than receiving it.
    const head = (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString(
      "latin1",
      0,
      300,
    );
    const at = /"at":"([^"]+)"/.exec(head)?.[1] ?? "";
    const relay = /"relay":\{"id":"([^"]+)"/.exec(head)?.[1] ?? "";
    const id = String(request.headers["x-openmcp-delivery"]);
    const key = `${path} ${relay} ${request.headers["x-openmcp-event"]}`;
    const before = came.get(key);
    if (before === undefined) came.set(key, id);
    else {
      repeated += 1;
      if (before !== id) otherId += 1;
    }
    lags.push(now - Date.parse(at));
    if (first === 0) first = now;
    last = now;
    response.writeHead(204).end();
  });
});
process.on("message", (message) => {
  if (message === "count") {
    process.send?.(came.size);
    return;
  }
  if (message === "hanging" || message === "release") {
    process.send?.(hanging.size);
    if (message === "release") for (const response of hanging.keys()) response.destroy();
    return;
  }
  const report: ReceiverReport = {
    count: lags.length,
    distinct: came.size,
    repeated,
    otherId,
    lags,
    spanMs: last - first,
  };
  process.send?.(report);
  came = new Map();
  repeated = 0;
  otherId = 0;
  lags = [];
  first = 0;
  last = 0;
});
process.on("disconnect", () => process.exit(0));
server.listen({ port: 0, host: "127.0.0.1", backlog: 1_024 }, () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
