/** Names that change or mix their answers: what is judged is what is connected to. */
import { expect, test } from "vitest";
import { createDial } from "../../src/net/connector.ts";
import { createGuardedLookup } from "../../src/net/guarded-lookup.ts";
import type { LookupAddresses, ResolvedAddress } from "../../src/net/index.ts";
import { createJudge } from "../../src/net/judge.ts";
import { verifies } from "../requirements.ts";
import { failure, limits, network, serveHttp, serveSocket, text } from "./servers.ts";

const ip = (address: string): ResolvedAddress => ({ address, family: address.includes(":") ? 6 : 4 });

/** Answers the given lists one after the other, the last one for ever. */
function answers(...lists: readonly (readonly string[])[]): LookupAddresses & { asked: number } {
  const lookup = Object.assign(
    async () => {
      const list = lists[Math.min(lookup.asked, lists.length - 1)] ?? [];
      lookup.asked++;
      return list.map(ip);
    },
    { asked: 0 },
  );
  return lookup;
}

/** 127.0.0.2 plays the public address: it alone is open. */
const open = { allowLoopback: false, allowNetworks: ["127.0.0.2/32"] };

test(
  "a name is resolved once for a connection, so a second answer gains nothing",
  verifies("network.connected-address"),
  async () => {
    const server = await serveHttp((request, response) => response.end(request.headers.host), "127.0.0.2");
    const lookup = answers(["127.0.0.2"], ["127.0.0.1"]);
    const { exchange } = network({ ...open, lookup });
    const url = `http://rebind.test:${server.port}/`;
    expect(await text(await exchange({ method: "GET", url }, limits))).toBe(`rebind.test:${server.port}`);
    expect(lookup.asked).toBe(1);
  },
);

test("the next connection is judged by the next answer", verifies("network.connected-address"), async () => {
  const server = await serveHttp((_request, response) => {
    response.setHeader("connection", "close");
    response.end("reached");
  }, "127.0.0.2");
  const { exchange } = network({ ...open, lookup: answers(["127.0.0.2"], ["127.0.0.1"]) });
  const url = `http://rebind.test:${server.port}/`;
  expect(await text(await exchange({ method: "GET", url }, limits))).toBe("reached");
  const error = await failure(exchange({ method: "GET", url }, limits));
  expect(error).toMatchObject({ code: "blocked", data: { kind: "loopback" } });
  expect(server.accepted).toBe(1);
});

test.each([
  [["127.0.0.2", "10.0.0.1"], "private"],
  [["10.0.0.1", "127.0.0.2"], "private"],
  [["127.0.0.2", "::1"], "loopback"],
  [["::ffff:169.254.169.254"], "cloud metadata"],
  [["fe80::1%eth0"], "link-local"],
  [["64:ff9b::a00:1"], "private"],
])("one forbidden address of %j refuses the name", async (list, kind) => {
  const server = await serveHttp((_request, response) => response.end("reached"), "127.0.0.2");
  const { exchange } = network({ ...open, lookup: answers(list) });
  const error = await failure(exchange({ method: "GET", url: `http://mixed.test:${server.port}/` }, limits));
  expect(error).toMatchObject({ code: "blocked", data: { kind } });
  // A stranger must not learn what an internal name resolves to.
  expect(error.message).toContain(`mixed.test resolves to a ${kind} address`);
  const [sentence = ""] = error.message.split(";");
  for (const address of list) expect(sentence).not.toContain(address);
  expect(server.accepted).toBe(0);
});

test("an answer that is no address refuses the name", async () => {
  const { exchange } = network({ ...open, lookup: async () => [{ address: "evil.test", family: 4 }] });
  expect(await failure(exchange({ method: "GET", url: "http://odd.test/" }, limits))).toMatchObject({
    code: "blocked",
  });
});

test("a localhost name never asks the resolver", async () => {
  const server = await serveHttp((_request, response) => response.end("reached"));
  const lookup = answers(["127.0.0.2"]);
  const { exchange } = network({ lookup });
  expect(
    await text(await exchange({ method: "GET", url: `http://a.localhost:${server.port}/` }, limits)),
  ).toBe("reached");
  expect(lookup.asked).toBe(0);
});

test("the next address is tried when one does not answer", async () => {
  const server = await serveHttp((_request, response) => response.end("reached"), "127.0.0.3");
  const { exchange } = network({ lookup: answers(["127.0.0.2", "127.0.0.3"]) });
  expect(await text(await exchange({ method: "GET", url: `http://two.test:${server.port}/` }, limits))).toBe(
    "reached",
  );
});

test.each([
  [{ code: "ENOTFOUND" }, "name-not-found"],
  [{ code: "EAI_AGAIN" }, "name-lookup-failed"],
])("a look-up that fails with %j is unreachable", async (fault, reason) => {
  const lookup = async () => {
    throw Object.assign(new Error("getaddrinfo"), fault);
  };
  const error = await failure(
    network({ lookup }).exchange({ method: "GET", url: "http://gone.test/" }, limits),
  );
  expect(error).toMatchObject({ code: "unreachable", data: { reason } });
  expect(error.message).toContain("gone.test");
});

test("an empty answer is a name that is not found", async () => {
  const { exchange } = network({ lookup: async () => [] });
  const error = await failure(exchange({ method: "GET", url: "http://empty.test/" }, limits));
  expect(error).toMatchObject({ code: "unreachable", data: { reason: "name-not-found" } });
});

test("many exchanges at once share one question about their name", async () => {
  const server = await serveHttp((_request, response) => response.end("reached"));
  let asked = 0;
  let answer: (list: ResolvedAddress[]) => void = () => {};
  const list = new Promise<ResolvedAddress[]>((resolve) => {
    answer = resolve;
  });
  const { exchange } = network({
    lookup: () => {
      asked++;
      return list;
    },
  });
  const all = Array.from({ length: 20 }, () =>
    exchange({ method: "GET", url: `http://busy.test:${server.port}/` }, limits).then(text),
  );
  answer([ip("127.0.0.1")]);
  expect(new Set(await Promise.all(all))).toEqual(new Set(["reached"]));
  expect(asked).toBe(1);
});

test("the timer covers a name that is never resolved", verifies("network.limits"), async () => {
  const { exchange } = network({ lookup: () => new Promise(() => {}) });
  const error = await failure(
    exchange({ method: "GET", url: "http://slow.test/" }, { ...limits, timeoutMs: 30 }),
  );
  expect(error).toMatchObject({ code: "timeout", data: { phase: "connection" } });
});

test(
  "a private place behind a permitted one is judged at the redirect",
  verifies("network.redirects"),
  async () => {
    const inner = await serveSocket((socket) => socket.end());
    const server = await serveHttp((request, response) => {
      response.writeHead(302, { location: decodeURIComponent((request.url ?? "").slice(1)) }).end();
    }, "127.0.0.2");
    const { exchange } = network({ ...open, lookup: answers(["10.0.0.1"]) });
    for (const target of [
      `http://127.0.0.1:${inner.port}/`,
      `//127.0.0.1:${inner.port}/`,
      `http://2130706433:${inner.port}/`,
      `http://[::ffff:127.0.0.1]:${inner.port}/`,
      `http://localhost:${inner.port}/`,
      "http://169.254.169.254/latest/meta-data/",
      "http://private.test/",
      "http://user:pass@127.0.0.2/",
      "http://127.0.0.2:22/",
      "file:///etc/passwd",
      "http://",
    ]) {
      const error = await failure(
        exchange({ method: "GET", url: `${server.url}/${encodeURIComponent(target)}` }, limits),
      );
      expect([target, error.code]).toEqual([target, "blocked"]);
    }
    expect(inner.accepted).toBe(0);
  },
);

test(
  "the connector judges what it connects to, whoever called it",
  verifies("network.connected-address"),
  async () => {
    const server = await serveSocket((socket) => socket.end());
    const judge = createJudge({ allowLoopback: false, allowNetworks: [] });
    const dial = createDial(judge, createGuardedLookup(judge, answers(["127.0.0.1"])));
    for (const hostname of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "localhost", "name.test"]) {
      for (const protocol of ["http:", "https:"]) {
        const { promise, resolve } = Promise.withResolvers<unknown>();
        dial({ hostname, protocol, port: String(server.port) }, (...[error]) => resolve(error));
        expect([hostname, await promise]).toEqual([hostname, expect.objectContaining({ code: "blocked" })]);
      }
    }
    expect(server.accepted).toBe(0);
  },
);
