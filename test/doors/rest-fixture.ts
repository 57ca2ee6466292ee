/** A REST door over a catalog with one live relay (four tools) and one that is offline; and how a problem is recognised. */
import { expect } from "vitest";
import { restDoor } from "../../src/doors/rest/index.ts";
import type { ErrorCode } from "../../src/spec/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { ADMIN_TOKEN, type CatalogFixture, openCatalog, tool } from "./catalog-fixture.ts";

export const admin = { authorization: `Bearer ${ADMIN_TOKEN}` };

export interface RestFixture extends AsyncDisposable {
  readonly catalog: CatalogFixture;
  readonly relay: FakeRelay;
  /** The live relay's id; it is listed by `register`. */
  readonly id: string;
  readonly app: ReturnType<typeof restDoor>;
  /** A body that is no text goes as JSON. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  register(): Promise<Response>;
}

export async function openRest(): Promise<RestFixture> {
  const catalog = await openCatalog();
  const relay = await startFakeRelay({
    descriptor: { mcp: "/mcp", name: "Paper", tags: ["pdf"] },
    tools: [
      tool("pdf_to_text", "Convert a PDF to plain text."),
      { ...tool("typed"), outputSchema: { type: "object" } },
      tool("fails"),
    ],
    onCall: (name, args) => ({
      content: [{ type: "text", text: JSON.stringify(args) }],
      ...(name === "fails" ? { isError: true } : { structuredContent: { name, args } }),
      "x-unknown": { kept: [1, null] },
    }),
  });
  const app = restDoor({ context: catalog.context, adminToken: ADMIN_TOKEN });
  await catalog.list("https://offline.example/mcp", {
    online: false,
    verified: false,
    tools: [tool("gone")],
  });

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const given = typeof body === "string" ? body : JSON.stringify(body);
    return app.request(path, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: given }),
    });
  }

  return {
    catalog,
    relay,
    id: relay.origin.replace("http://", "").replace(":", "-"),
    app,
    send,
    register: () => send("POST", "/v1/relays", { url: relay.url }),
    async [Symbol.asyncDispose]() {
      await relay.close();
      await catalog[Symbol.asyncDispose]();
    },
  };
}

/** Expects wire.md's error of this code and status; gives its body. */
export async function expectProblem(response: Response, code: ErrorCode, status: number) {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const body = JSON.parse(text);
  expect(body).toMatchObject({ code, status, ok: false });
  for (const key of ["type", "title", "detail", "error"]) expect(body[key]).toEqual(expect.any(String));
  expect(body.error).toBe(body.detail);
  return body;
}
