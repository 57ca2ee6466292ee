/** Looks and calls stay with the endpoint's own origin, so that what a look finds is what a call meets. */
import { describe, expect, it } from "vitest";
import { verifies } from "../requirements.ts";
import { callAt, legacy, lookAt, modern, serve, tool } from "./harness.ts";

const tools = [tool("echo")];

describe("a redirect", () => {
  it.each([307, 308])("to another origin (%d) is followed by neither a look nor a call", async (status) => {
    await using other = await serve(modern(tools));
    await using server = await serve(
      (_, response) => void response.writeHead(status, { location: other.url }).end(),
    );
    expect(await lookAt(server.url)).toMatchObject({
      state: "not-mcp",
      httpStatus: status,
      redirectsTo: other.url,
      error: expect.stringContaining(`${other.url} (HTTP ${status}), and calls go to no other origin`),
    });
    expect(await callAt(server.url)).toMatchObject({
      kind: "unreachable",
      message: expect.not.stringContaining("may have run"),
    });
    expect(other.heard).toEqual([]);
  });

  it("within the origin is followed by both", async () => {
    await using server = await serve(
      legacy(tools, (heard, response) => {
        if (heard.path.endsWith("/")) return false;
        response.writeHead(308, { location: "/mcp/" }).end();
        return true;
      }),
    );
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "online", notes: [] });
    expect(verdict).not.toHaveProperty("redirectsTo");
    expect(await callAt(server.url)).toMatchObject({ kind: "result" });
  });

  it(
    "that goes round in circles is given up, and did not run the call",
    verifies("network.redirects"),
    async () => {
      await using server = await serve(
        (_, response) => void response.writeHead(307, { location: "/mcp" }).end(),
      );
      expect(await lookAt(server.url)).toMatchObject({
        state: "not-mcp",
        error: expect.stringContaining("redirects again and again"),
      });
      // One request and three redirects followed, in the one era that was asked.
      expect(server.heard).toHaveLength(4);
      expect(await callAt(server.url)).toMatchObject({
        kind: "unreachable",
        message: expect.not.stringContaining("may have run"),
      });
    },
  );

  it("to no place on the web leads nowhere", async () => {
    await using server = await serve(
      (_, response) => void response.writeHead(308, { location: "mailto:someone@example.com" }).end(),
    );
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "not-mcp", httpStatus: 308 });
    expect(verdict).not.toHaveProperty("redirectsTo");
  });
});

describe("a list that breaks off", () => {
  it.each([
    [true, (page: number) => page > 1],
    [false, () => false],
  ])("says so: %s", async (broken, breaks) => {
    await using server = await serve(
      modern(tools, (heard, response) => {
        if (heard.method !== "tools/list") return false;
        const page = Number(heard.params.cursor ?? 1);
        if (breaks(page)) response.writeHead(500).end();
        else {
          const body = {
            jsonrpc: "2.0",
            id: heard.id,
            result: { tools: [tool(`t${page}`)], ...(page < 3 ? { nextCursor: String(page + 1) } : {}) },
          };
          response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
        }
        return true;
      }),
    );
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "online", toolsTruncated: broken });
    expect(verdict.toolsBrokenOff ?? false).toBe(broken);
  });
});
