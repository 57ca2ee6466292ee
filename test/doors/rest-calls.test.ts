import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { json, tool } from "./catalog-fixture.ts";
import { expectProblem, openRest, type RestFixture } from "./rest-fixture.ts";

let rest: RestFixture;

beforeAll(async () => {
  rest = await openRest();
  expect((await rest.register()).status).toBe(201);
  await rest.catalog.index();
});

afterAll(() => rest[Symbol.asyncDispose]());

describe("calling", () => {
  test("…/call gives the whole result, unknown keys too", verifies("rest.call"), async () => {
    const response = await rest.send("POST", `/v1/relays/${rest.id}/call`, {
      tool: "pdf_to_text",
      arguments: { a: 1 },
    });
    expect(response.status).toBe(200);
    const body = await json(response);
    expect(body).toMatchObject({ ok: true, relay: rest.id, tool: "pdf_to_text" });
    expect(body.result["x-unknown"]).toEqual({ kept: [1, null] });
    expect(Object.keys(body).sort()).toEqual(["ok", "relay", "result", "tool"]);
  });

  test("a tool's own failure is an answer: ok is false, the result whole", async () => {
    const response = await rest.send("POST", `/v1/relays/${rest.id}/call`, { tool: "fails" });
    expect(response.status).toBe(200);
    expect(await json(response)).toMatchObject({ ok: false, result: { isError: true, "x-unknown": {} } });
  });

  test(
    "…/tools/:tool is bare: structured content where the tool declares it, else the whole result",
    verifies("rest.call-bare"),
    async () => {
      const typed = await rest.send("POST", `/v1/relays/${rest.id}/tools/typed`, { a: [1] });
      expect(await json(typed)).toEqual({ name: "typed", args: { a: [1] } });
      const untyped = await rest.send("POST", `/v1/relays/${rest.id}/tools/pdf_to_text`);
      expect(await json(untyped)).toMatchObject({ content: [{ text: "{}" }], "x-unknown": {} });
      const failed = await rest.send("POST", `/v1/relays/${rest.id}/tools/fails`, {});
      expect(await expectProblem(failed, "tool-error", 422)).toMatchObject({ result: { isError: true } });
    },
  );

  test("the credential reaches the relay from body or header, and no answer repeats it", async () => {
    rest.relay.update({ token: "s3cret" });
    try {
      const path = `/v1/relays/${rest.id}/call`;
      const refused = await rest.send("POST", path, { tool: "typed", token: "wr0ng" });
      expect(JSON.stringify(await expectProblem(refused, "relay-refused", 502))).not.toContain("wr0ng");
      const inBody = await rest.send("POST", path, { tool: "typed", token: "s3cret" });
      const inHeader = await rest.send(
        "POST",
        path,
        { tool: "typed" },
        { "x-relay-authorization": "Bearer s3cret" },
      );
      const bare = await rest.send(
        "POST",
        `/v1/relays/${rest.id}/tools/typed`,
        {},
        { "x-relay-authorization": "bearer s3cret" },
      );
      for (const response of [inBody, inHeader, bare]) {
        expect(response.status).toBe(200);
        expect(await response.text()).not.toContain("s3cret");
      }
      const before = rest.relay.requests.length;
      for (const header of ["s3cret", "Basic s3cret", "Bearer", "Bearer s3cret twice"]) {
        const odd = await rest.send("POST", path, { tool: "typed" }, { "x-relay-authorization": header });
        const body = await expectProblem(odd, "invalid-input", 400);
        expect(body.field).toBe("X-Relay-Authorization");
        expect(JSON.stringify(body)).not.toContain("s3cret");
      }
      expect(rest.relay.requests.length).toBe(before);
      expect(JSON.stringify(rest.catalog.log)).not.toMatch(/s3cret|wr0ng/);
    } finally {
      rest.relay.update({ token: undefined } as never);
    }
  });

  test("the caller's own headers don't go upstream", verifies("call.headers-afresh"), async () => {
    const before = rest.relay.requests.length;
    const headers = { authorization: "Bearer mine", cookie: "a=b", "x-forwarded-for": "1.2.3.4" };
    await rest.send("POST", `/v1/relays/${rest.id}/call`, { tool: "typed" }, headers);
    const seen = rest.relay.requests.slice(before);
    expect(seen.length).toBeGreaterThan(0);
    for (const { headers: sent } of seen) {
      expect(sent).not.toHaveProperty("authorization");
      expect(sent).not.toHaveProperty("cookie");
      expect(sent).not.toHaveProperty("x-forwarded-for");
    }
  });

  test("a relay's JSON-RPC error is 422 with its words", verifies("rest.call-errors"), async () => {
    await using odd = await startFakeRelay({
      tools: [tool("echo")],
      intercept(seen, response) {
        if (!seen.body.includes('"tools/call"')) return false;
        response.writeHead(200, { "content-type": "application/json" });
        const error = { code: -32099, message: "no paper", data: { tray: 2 } };
        response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(seen.body).id, error }));
        return true;
      },
    });
    const { relay: listed } = await json(rest.send("POST", "/v1/relays", { url: odd.url }));
    const response = await rest.send("POST", `/v1/relays/${listed.id}/call`, { tool: "echo" });
    expect((await expectProblem(response, "relay-error", 422)).rpc).toEqual({
      code: -32099,
      message: "no paper",
      data: { tray: 2 },
    });
  });

  test("a relay that went down is 502", verifies("rest.call-errors"), async () => {
    const gone = await startFakeRelay({ tools: [tool("echo")] });
    const { relay: listed } = await json(rest.send("POST", "/v1/relays", { url: gone.url }));
    await gone.close();
    const response = await rest.send("POST", `/v1/relays/${listed.id}/call`, { tool: "echo" });
    await expectProblem(response, "relay-unreachable", 502);
  });
});
