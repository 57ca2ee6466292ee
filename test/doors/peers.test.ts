/** Peers through the doors: REST, MCP's list_peers (rings.test.ts), the descriptor. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { wellKnownDoor } from "../../src/doors/well-known/index.ts";
import { startFakePeer } from "../peers/fake-peer.ts";
import { verifies } from "../requirements.ts";
import { json } from "./catalog-fixture.ts";
import { admin, expectProblem, openRest, type RestFixture } from "./rest-fixture.ts";

let rest: RestFixture;
beforeEach(async () => {
  rest = await openRest();
});
afterEach(() => rest[Symbol.asyncDispose]());

describe("/v1/peers", () => {
  it("adds, lists, syncs and removes", verifies("rest.peers", "peers.in-descriptor"), async () => {
    await using peer = await startFakePeer({ relays: [rest.relay.url] });
    expect(await json(rest.send("GET", "/v1/peers"))).toEqual({ ok: true, peers: [] });

    const added = await rest.send("POST", "/v1/peers", { url: `${peer.url}/v1` }, admin);
    const entry = { url: peer.url, addedAt: expect.any(String), syncedAt: null, lastError: null };
    expect(added.status).toBe(201);
    expect(await json(added)).toEqual({ ok: true, added: peer.url, peers: [entry] });

    expect(await json(rest.send("POST", "/v1/peers/sync", undefined, admin))).toEqual({
      ok: true,
      peers: 1,
      learned: 1,
    });
    expect((await json(rest.send("GET", `/v1/relays/${rest.id}`))).relay.via).toBe(peer.url);
    const listed = await rest.send("GET", "/v1/peers");
    expect(await json(listed)).toEqual({
      ok: true,
      peers: [{ ...entry, addedAt: expect.any(String), syncedAt: expect.any(String) }],
    });
    const etag = listed.headers.get("etag") ?? "";
    expect((await rest.send("GET", "/v1/peers", undefined, { "if-none-match": etag })).status).toBe(304);
    const wellKnown = wellKnownDoor({ context: rest.catalog.context, tools: [] });
    const descriptor = await json(wellKnown.request("/.well-known/openmcp.json"));
    expect(descriptor.catalog.peers).toEqual([peer.url]);

    const path = `/v1/peers?url=${encodeURIComponent(`${peer.url}/`)}`;
    expect(await json(rest.send("DELETE", path, undefined, admin))).toEqual({ ok: true, removed: peer.url });
    expect(await json(rest.send("GET", "/v1/peers"))).toEqual({ ok: true, peers: [] });
    await expectProblem(await rest.send("DELETE", path, undefined, admin), "not-found", 404);
  });

  it.each([
    ["POST", "/v1/peers", { url: "https://a.example" }],
    ["DELETE", "/v1/peers?url=https://a.example", undefined],
    ["POST", "/v1/peers/sync", undefined],
  ])("%s %s needs the admin credential", verifies("peers.admin"), async (method, path, body) => {
    await expectProblem(await rest.send(method, path, body), "unauthorized", 401);
    const wrong = { authorization: "Bearer wrong" };
    await expectProblem(await rest.send(method, path, body, wrong), "unauthorized", 401);
  });

  it.each([
    ["POST", "/v1/peers", {}],
    ["POST", "/v1/peers", { url: "ftp://a.example" }],
    ["POST", "/v1/peers", { url: "https://me:secret@a.example" }],
    ["POST", "/v1/peers", { url: "http://127.0.0.1:8790/v1" }],
    ["DELETE", "/v1/peers", undefined],
  ])("%s %s with %j is not of its form", async (method, path, body) => {
    const problem = await expectProblem(await rest.send(method, path, body, admin), "invalid-input", 400);
    expect(problem.field).toBe("url");
    expect(JSON.stringify(problem)).not.toContain("secret");
  });

  it("knows its methods", async () => {
    const response = await rest.send("PUT", "/v1/peers", {});
    await expectProblem(response, "method-not-allowed", 405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST, DELETE, OPTIONS");
  });
});
