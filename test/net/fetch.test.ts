/** The WHATWG fetch that is made of an exchange, as libraries use it. */
import { expect, test } from "vitest";
import { createExchange, createFetch } from "../../src/net/index.ts";
import { failure, limits, network, serveHttp } from "./servers.ts";

async function echo() {
  return serveHttp((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (request.url === "/moved") {
        response.writeHead(307, { location: "/there" }).end();
      } else if (request.url === "/empty") {
        response.writeHead(204).end();
      } else if (request.url === "/odd") {
        response.writeHead(999).end();
      } else if (request.url === "/stream") {
        response.write("first");
      } else {
        const { method, url, headers } = request;
        response.setHeader("content-type", "application/json");
        response.end(
          JSON.stringify({ method, url, type: headers["content-type"], own: headers["x-own"], body }),
        );
      }
    });
  });
}

test("a process says who it is, unless a request says it itself; nothing is said by default", async () => {
  const server = await serveHttp((request, response) => {
    response.end(JSON.stringify(request.headers["user-agent"] ?? null));
  });
  const policy = { allowLoopback: true, allowNetworks: [] };
  for (const [identity, headers, said] of [
    [{}, {}, null],
    [{ userAgent: "openmcp/1 (+https://a.example)" }, {}, "openmcp/1 (+https://a.example)"],
    [{ userAgent: "openmcp/1" }, { "user-agent": "mine" }, "mine"],
  ] as const) {
    await using own = createExchange(policy, identity);
    const response = await createFetch(own.exchange, limits)(server.url, { headers });
    expect(await response.json()).toBe(said);
  }
});

test("strings, URLs, requests, headers and bodies", async () => {
  const server = await echo();
  const fetch = createFetch(network().exchange, limits);
  const plain = await fetch(server.url);
  expect([plain.ok, plain.url, plain.redirected]).toEqual([true, `${server.url}/`, false]);
  expect(await plain.json()).toMatchObject({ method: "GET", url: "/" });
  const posted = await fetch(new URL("/mcp", server.url), {
    method: "POST",
    headers: new Headers({ "x-own": "1", "content-type": "application/json" }),
    body: JSON.stringify({ a: 1 }),
  });
  expect(await posted.json()).toEqual({
    method: "POST",
    url: "/mcp",
    type: "application/json",
    own: "1",
    body: '{"a":1}',
  });
  const form = await fetch(
    new Request(server.url, { method: "PUT", body: new URLSearchParams({ a: "b c" }) }),
  );
  expect(await form.json()).toMatchObject({
    method: "PUT",
    type: "application/x-www-form-urlencoded;charset=UTF-8",
    body: "a=b+c",
  });
  const head = await fetch(server.url, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const empty = await fetch(`${server.url}/empty`);
  expect([empty.status, await empty.text()]).toEqual([204, ""]);
});

test("redirects as the caller wants them", async () => {
  const server = await echo();
  const fetch = createFetch(network().exchange, limits);
  const followed = await fetch(`${server.url}/moved`, { method: "POST", body: "x" });
  expect([followed.url, followed.redirected, ((await followed.json()) as { body: string }).body]).toEqual([
    `${server.url}/there`,
    true,
    "x",
  ]);
  const manual = await fetch(`${server.url}/moved`, { redirect: "manual" });
  expect([manual.status, manual.headers.get("location")]).toEqual([307, "/there"]);
  await manual.body?.cancel();
  expect((await failure(fetch(`${server.url}/moved`, { redirect: "error" }))).code).toBe(
    "too-many-redirects",
  );
});

test("failures keep their code", async () => {
  const server = await echo();
  const strict = network({ allowLoopback: false });
  expect((await failure(createFetch(strict.exchange, limits)(server.url))).code).toBe("blocked");
  const fetch = createFetch(network().exchange, limits);
  expect((await failure(fetch(server.url, { method: "REPORT" }))).code).toBe("invalid-input");
  const small = createFetch(network().exchange, { ...limits, maxBodyBytes: 3 });
  expect((await failure((await small(server.url)).text())).code).toBe("too-large");
  await expect(fetch(`${server.url}/odd`)).rejects.toThrow(RangeError);
});

test("an abort rejects with the signal's reason, before and within the body", async () => {
  const server = await echo();
  const fetch = createFetch(network().exchange, limits);
  const reason = new Error("no longer wanted");
  await expect(fetch(server.url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  const response = await fetch(`${server.url}/stream`, { signal: controller.signal });
  const reader = response.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first");
  const next = reader?.read();
  controller.abort(reason);
  await expect(next).rejects.toBe(reason);
  await server.closed(1);
});

test("a cancelled body frees its connection", async () => {
  const server = await echo();
  const { exchange, connections } = network();
  const response = await createFetch(exchange, limits)(`${server.url}/stream`);
  await response.body?.cancel();
  await server.closed(1);
  expect(connections().open).toBe(0);
});
