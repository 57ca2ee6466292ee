/**
 * What the network policy costs: small POSTs through `exchange` beside the same POSTs by plain `undici.request`, in turns
 * in one run, so that a noisy machine is noisy for both. The server is a bare socket that answers a constant, in a
 * process of its own. `node bench/net.ts [origins]`; prints requests a second and the ratio (1 is as fast as undici alone).
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { Agent, request } from "undici";
import { createExchange } from "../src/net/index.ts";
import { median } from "./lib/percentiles.ts";

const answer = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  result: {
    tools: Array.from({ length: 10 }, (_, i) => ({
      name: `tool_${i}`,
      description: "Does one small thing well.",
      inputSchema: { type: "object" },
    })),
  },
});
const question = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
const headers = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2026-07-28",
};

if (process.argv[2] === "serve") serve();
else await measure(Number(process.argv[2] ?? 5_000));

function serve(): void {
  const response = Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`,
  );
  const end = question.slice(-8);
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("data", (chunk) => {
      if (chunk.toString("latin1").endsWith(end)) socket.write(response);
    });
    socket.on("error", () => socket.destroy());
  });
  server.listen({ port: 0, host: "0.0.0.0", backlog: 1024 }, () =>
    process.send?.((server.address() as { port: number }).port),
  );
  process.once("disconnect", () => process.exit());
}

type Post = (url: string) => Promise<number>;

async function measure(origins: number): Promise<void> {
  const server = fork(new URL(import.meta.url), ["serve"]);
  const [port] = (await once(server, "message")) as [number];
  const network = createExchange({ allowLoopback: true, allowNetworks: [] });
  let agent = new Agent();
  const limits = { timeoutMs: 15_000, maxBodyBytes: 8 * 1024 * 1024 };

  const ours: Post = async (url) => {
    const response = await network.exchange({ method: "POST", url, headers, body: question }, limits);
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    return JSON.parse(Buffer.concat(chunks).toString()).id;
  };
  const plain: Post = async (url) => {
    const response = await request(url, { method: "POST", headers, body: question, dispatcher: agent });
    return JSON.parse(await response.body.text()).id;
  };

  const one = [`http://127.0.0.1:${port}/mcp`];
  // Every run gets addresses that no run had before: plain undici would else be measured on sockets of the last round.
  let block = 0;
  const many = (): string[] => {
    const first = (1 << 16) + block++ * origins;
    return Array.from({ length: origins }, (_, n) => {
      const at = first + n;
      return `http://127.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}:${port}/mcp`;
    });
  };
  const cases = [
    { name: "one origin, 1 at a time", urls: () => one, total: 3_000, width: 1, each: 1 },
    { name: "one origin, 32 at once", urls: () => one, total: 20_000, width: 32, each: 1 },
    { name: `${origins} origins, 3 posts each, 32 at once`, urls: many, total: origins, width: 32, each: 3 },
  ];
  for (const { name, total, width, each, urls } of cases) {
    const rates: { plain: number[]; ours: number[] } = { plain: [], ours: [] };
    for (let round = 0; round < 5; round++) {
      const order = round % 2 === 0 ? (["plain", "ours"] as const) : (["ours", "plain"] as const);
      for (const which of order) {
        // Plain undici keeps every origin's sockets for 4 s and would run out of descriptors: each round gets its own agent.
        await agent.destroy();
        agent = new Agent();
        const rate = await run(which === "ours" ? ours : plain, { urls: urls(), total, width, each });
        if (round > 0) rates[which].push(rate);
      }
    }
    const [base, mine] = [median(rates.plain), median(rates.ours)];
    console.log(
      `${name}: undici.request ${base.toFixed(0)}/s, exchange ${mine.toFixed(0)}/s, ratio ${(mine / base).toFixed(2)}`,
    );
  }
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, network.connections().open);
  }, 5);
  const wide = Array.from({ length: 20_000 }, (_, n) => `http://127.200.${n >> 8}.${n & 255}:${port}/mcp`);
  const rate = await run(ours, { urls: wide, total: wide.length, width: 32, each: 3 });
  clearInterval(watch);
  console.log(
    `20000 origins, 3 posts each, 32 at once: exchange ${rate.toFixed(0)}/s, at most ${most} sockets open`,
  );
  await network.close();
  await agent.destroy();
  server.disconnect();
}

async function run(
  post: Post,
  { urls, total, width, each }: { urls: readonly string[]; total: number; width: number; each: number },
): Promise<number> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < total) {
      const url = urls[next++ % urls.length] as string;
      for (let n = 0; n < each; n++) await post(url);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: width }, worker));
  return (total * each) / ((performance.now() - start) / 1000);
}
