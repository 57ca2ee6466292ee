/** Redirects: which are followed, with what, and how far. */
import { expect, test } from "vitest";
import { verifies } from "../requirements.ts";
import { failure, limits, network, serveHttp, text } from "./servers.ts";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A server that redirects `/STATUS/N` to `/STATUS/N-1`, down to `/STATUS/0`, and remembers what it saw. */
async function redirecting(
  location: (status: string, left: number) => string = (status, left) => `/${status}/${left}`,
) {
  const seen: Seen[] = [];
  const server = await serveHttp((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      const [, status = "", left = "0"] = (request.url ?? "").split(/[/?]/);
      if (Number(left) > 0) {
        response.writeHead(Number(status), { location: location(status, Number(left) - 1) }).end("moved");
      } else response.end("arrived");
    });
  });
  return { ...server, seen };
}

test.each([301, 302, 303, 307, 308])("GET follows %i, HEAD too", async (status) => {
  const server = await redirecting();
  const { exchange } = network();
  const response = await exchange({ method: "GET", url: `${server.url}/${status}/2?x=1#part` }, limits);
  expect(await text(response)).toBe("arrived");
  expect(response.url).toBe(`${server.url}/${status}/0`);
  expect(response.hops).toEqual([2, 1, 0].map((n) => `${server.url}/${status}/${n}${n === 2 ? "?x=1" : ""}`));
  const head = await exchange({ method: "HEAD", url: `${server.url}/${status}/1` }, limits);
  expect([head.status, head.hops.length, await text(head)]).toEqual([200, 2, ""]);
});

test.each(["POST", "PUT", "DELETE"] as const)(
  "%s follows 307 and 308 with its body, and is given the others as they are",
  async (method) => {
    const server = await redirecting();
    const { exchange } = network();
    for (const status of [307, 308]) {
      const response = await exchange({ method, url: `${server.url}/${status}/1`, body: "payload" }, limits);
      expect(await text(response)).toBe("arrived");
      expect(server.seen.at(-1)).toMatchObject({ method, body: "payload" });
    }
    for (const status of [301, 302, 303]) {
      const response = await exchange({ method, url: `${server.url}/${status}/1`, body: "payload" }, limits);
      expect([response.status, response.headers.location, await text(response)]).toEqual([
        status,
        `/${status}/0`,
        "moved",
      ]);
    }
  },
);

test(
  "three by default, as many as asked, ten at most, none when asked",
  verifies("network.redirects"),
  async () => {
    const server = await redirecting();
    const { exchange } = network();
    const follow = (count: number, maxRedirects?: number) =>
      exchange(
        { method: "GET", url: `${server.url}/302/${count}` },
        maxRedirects === undefined ? limits : { ...limits, maxRedirects },
      );
    expect(await text(await follow(3))).toBe("arrived");
    expect(await failure(follow(4))).toMatchObject({ code: "too-many-redirects", data: { maxRedirects: 3 } });
    expect(await text(await follow(5, 5))).toBe("arrived");
    expect(await failure(follow(11, 100))).toMatchObject({
      code: "too-many-redirects",
      data: { maxRedirects: 10 },
    });
    const itself = await follow(1, 0);
    expect([itself.status, itself.hops.length, await text(itself)]).toEqual([302, 1, "moved"]);
  },
);

test("a circle is seen at its first return", async () => {
  const server = await redirecting((status) => `/${status}/1`);
  const error = await failure(
    network().exchange({ method: "GET", url: `${server.url}/302/1` }, { ...limits, maxRedirects: 9 }),
  );
  expect([error.code, server.seen.length]).toEqual(["too-many-redirects", 1]);
});

test("a 3xx without a location is an answer", async () => {
  const server = await serveHttp((_request, response) => response.writeHead(302).end("where to?"));
  const response = await network().exchange({ method: "GET", url: server.url }, limits);
  expect([response.status, await text(response)]).toEqual([302, "where to?"]);
});

test("credentials stay with their origin, also when the way leads back to it", async () => {
  const other = await redirecting((status, left) => `${home.url}/${status}/${left}`);
  const home = await redirecting((status, left) => `${other.url}/${status}/${left}`);
  const headers = {
    authorization: "Bearer secret",
    cookie: "a=1",
    "proxy-authorization": "x",
    "mcp-method": "ping",
  };
  await text(
    await network().exchange({ method: "POST", url: `${home.url}/307/2`, headers, body: "{}" }, limits),
  );
  expect(home.seen[0]?.headers).toMatchObject(headers);
  for (const hop of [other.seen[0], home.seen[1]]) {
    expect(hop?.headers).toMatchObject({ "mcp-method": "ping" });
    expect(Object.keys(hop?.headers ?? {})).not.toEqual(expect.arrayContaining(["authorization"]));
    expect(
      hop?.headers.authorization ?? hop?.headers.cookie ?? hop?.headers["proxy-authorization"],
    ).toBeUndefined();
  }
});

test("credentials go on within the origin", async () => {
  const server = await redirecting();
  const headers = { authorization: "Bearer secret" };
  await text(await network().exchange({ method: "GET", url: `${server.url}/302/1`, headers }, limits));
  expect(server.seen.map((hop) => hop.headers.authorization)).toEqual(["Bearer secret", "Bearer secret"]);
});

test("the body of a redirect is not read, however long", async () => {
  let sent = 0;
  const server = await serveHttp((request, response) => {
    if (request.url === "/end") {
      response.end("arrived");
      return;
    }
    response.writeHead(302, { location: "/end" });
    const more = (): void => {
      while (!response.destroyed && response.write("x".repeat(64 * 1024))) sent += 64 * 1024;
    };
    response.on("drain", more);
    more();
  });
  const { exchange } = network();
  expect(await text(await exchange({ method: "GET", url: server.url }, limits))).toBe("arrived");
  await server.closed(1);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test("one timer covers all hops", verifies("network.limits"), async () => {
  let hops = 0;
  const server = await serveHttp((_request, response) => {
    setTimeout(() => response.writeHead(302, { location: `/${++hops}`, "content-length": "0" }).end(), 40);
  });
  const error = await failure(
    network().exchange({ method: "GET", url: server.url }, { ...limits, timeoutMs: 150, maxRedirects: 10 }),
  );
  expect(error.code).toBe("timeout");
  expect(hops).toBeLessThan(10);
});
