/** Users: who is asked, whose a session is, and that a hidden tool can't be told from one that never was. */
import { McpServer, requireScopes } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { callerOf, type Listening, type ServeOptions, serve, visibleTo } from "../../src/kit/index.ts";
import { silentLogger } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { askLegacy, askModern, type Headers, message, openSession } from "./kit-fixture.ts";

interface User {
  readonly id: string;
  readonly admin: boolean;
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const as = (name: string): Headers => ({ authorization: `Bearer ${name}` });

/** Names that are admins now; a test may change it. */
const admins = new Set(["ada"]);
let asked: string[] = [];
let broken = false;

function authenticate(request: Request): User | Response {
  const [, name] = /^Bearer (\w+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
  asked.push(`${request.method} ${new URL(request.url).pathname} ${name}`);
  if (name === undefined) {
    return new Response("no", { status: 401, headers: { "www-authenticate": "Bearer realm=notes" } });
  }
  // The SDK's own form of a user, so that its checks of scopes run.
  return { id: name, admin: admins.has(name), token: name, clientId: "one", scopes: [] };
}

function notes(): McpServer {
  const mcp = new McpServer({ name: "notes", version: "1.0.0" });
  mcp.registerTool("add", { inputSchema: z.object({ text: z.string() }) }, () => ({ content: [] }));
  visibleTo(
    mcp.registerTool(
      "wipe",
      {
        description: "Deletes all.",
        // Both of these are checked by the SDK before a tool is called.
        inputSchema: z.object({ city: z.string().meta({ "x-mcp-header": "City" }) }),
        scopeChallenge: requireScopes("wipe"),
      } as never,
      () => ({ content: [{ type: "text", text: "wiped" }] }),
    ),
    async (user: User) => {
      if (broken) throw new Error("the database is gone, its password is hunter2");
      return user.admin;
    },
  );
  mcp.registerTool("who", {}, (context) => ({
    content: [{ type: "text", text: callerOf<User>(context).user.id }],
  }));
  return mcp;
}

async function start(options: Partial<ServeOptions<User>> = {}): Promise<Listening> {
  asked = [];
  broken = false;
  admins.clear();
  admins.add("ada");
  const on = await serve<User>({
    server: notes,
    authenticate,
    description: { name: "notes", version: "1.0.0" },
    ...options,
  }).listen();
  closing.push(() => on.close());
  return on;
}

const call = (name: string, args: object = {}) => ({
  method: "tools/call",
  params: { name, arguments: args as never },
});
const names = (list: { result: { tools: { name: string }[] } }) => list.result.tools.map(({ name }) => name);
/** An answer but for what differs by nature, with the tool's name taken out. */
async function bytes(response: Promise<Response>, name: string): Promise<unknown> {
  const got = await response;
  const headers = [...got.headers].filter(([key]) => !["date", "mcp-session-id"].includes(key));
  return { status: got.status, headers, text: (await got.text()).replaceAll(name, "?") };
}

describe("authenticate", () => {
  it(
    "is asked for each request of the endpoint and of the document, not for what is open to all",
    verifies("kit.authenticate"),
    async () => {
      const { url, origin } = await start();
      for (const response of [
        await askModern(url, { method: "tools/list" }),
        await askLegacy(url, { method: "tools/list" }),
        await fetch(url),
        await fetch(url, { method: "DELETE" }),
        await fetch(`${url}/openapi.json`),
        await fetch(`${url}/openapi.json`, { method: "HEAD" }),
      ]) {
        expect([response.status, response.headers.get("www-authenticate")]).toEqual([
          401,
          "Bearer realm=notes",
        ]);
      }
      asked = [];
      for (const path of ["/health", "/.well-known/openmcp.json", "/mcp/server-card", "/explorer"]) {
        expect([path, (await fetch(origin + path)).status]).toEqual([path, 200]);
      }
      expect(asked).toEqual([]);
      const session = await openSession(url, as("bo"));
      await (await askLegacy(url, { ...call("who"), headers: session })).text();
      expect(asked).toHaveLength(3);
    },
  );

  it("gives 500 and no word of the reason when it fails", verifies("kit.authenticate"), async () => {
    const { url } = await start({
      authenticate: () => {
        throw new Error("hunter2");
      },
    });
    for (const response of [
      await askModern(url, { method: "tools/list" }),
      await fetch(`${url}/openapi.json`),
    ]) {
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain("hunter2");
    }
  });

  it("wants to be told what a user's id is", verifies("kit.session-user"), async () => {
    const { url } = await start({ authenticate: () => ({ admin: true }) as never, logger: silentLogger });
    expect((await askModern(url, { method: "tools/list" })).status).toBe(500);
    expect((await fetch(`${url}/openapi.json`)).status).toBe(500);
    const told = await start({
      authenticate: () => ({ mail: "a@b.example" }) as never,
      userId: (user) => (user as never as { mail: string }).mail,
    });
    expect((await askModern(told.url, { method: "tools/list" })).status).toBe(200);
  });
});

describe("a session", () => {
  it("belongs to the user that opened it", verifies("kit.session-user"), async () => {
    const { url } = await start();
    const session = await openSession(url, as("bo"));
    const stranger = { ...session, ...as("eve") };
    for (const response of [
      await askLegacy(url, { ...call("who"), headers: stranger }),
      await fetch(url, { headers: { ...stranger, accept: "text/event-stream" } }),
      await fetch(url, { method: "DELETE", headers: stranger }),
    ]) {
      expect([response.status, (await message(response)).error.code]).toEqual([403, -32000]);
    }
    expect((await message(askLegacy(url, { ...call("who"), headers: session }))).result.content[0].text).toBe(
      "bo",
    );
  });

  it("of one who opens too many: the own idlest ends, nobody else's", verifies("kit.limits"), async () => {
    const { url } = await start({ sessions: { maxOfUser: 1 } });
    const other = await openSession(url, as("eve"));
    const first = await openSession(url, as("bo"));
    const second = await openSession(url, as("bo"));
    const status = async (headers: Headers) => (await askLegacy(url, { method: "ping", headers })).status;
    expect([await status(first), await status(second), await status(other)]).toEqual([404, 200, 200]);
  });
});

describe("a hidden tool", () => {
  it("is told from an unknown one by no byte, in the modern era", verifies("kit.hidden"), async () => {
    const { url } = await start();
    const headers = as("bo");
    expect(names(await message(askModern(url, { method: "tools/list", headers })))).toEqual(["add", "who"]);
    for (const args of [{}, { city: "x" }, { city: 7 }]) {
      const hidden = await bytes(askModern(url, { ...call("wipe", args), headers }), "wipe");
      expect(hidden).toEqual(await bytes(askModern(url, { ...call("nope", args), headers }), "nope"));
    }
    expect(names(await message(askModern(url, { method: "tools/list", headers: as("ada") })))).toEqual([
      "add",
      "wipe",
      "who",
    ]);
  });

  it("is told from an unknown one by no byte, in a session", verifies("kit.hidden"), async () => {
    const { url } = await start();
    const headers = await openSession(url, as("bo"));
    expect(names(await message(askLegacy(url, { method: "tools/list", headers })))).toEqual(["add", "who"]);
    for (const args of [{}, { city: "x" }]) {
      const hidden = await bytes(askLegacy(url, { ...call("wipe", args), headers }), "wipe");
      expect(hidden).toEqual(await bytes(askLegacy(url, { ...call("nope", args), headers }), "nope"));
    }
  });

  it(
    "comes and goes in a session as its user's rights do, at its place in the list",
    verifies("kit.hidden"),
    async () => {
      const { url } = await start();
      const headers = await openSession(url, as("bo"));
      const list = async () => names(await message(askLegacy(url, { method: "tools/list", headers })));
      expect(await list()).toEqual(["add", "who"]);
      const stream = await fetch(url, { headers: { ...headers, accept: "text/event-stream" } });
      admins.add("bo");
      expect(await list()).toEqual(["add", "wipe", "who"]);
      const told = await (stream.body as ReadableStream<Uint8Array>).getReader().read();
      expect(new TextDecoder().decode(told.value)).toContain("notifications/tools/list_changed");
      // The SDK's own check of scopes comes before the tool, and only for those who see it.
      expect((await askLegacy(url, { ...call("wipe", { city: "x" }), headers })).status).not.toBe(200);
      admins.delete("bo");
      expect(await list()).toEqual(["add", "who"]);
      expect((await message(askLegacy(url, { ...call("wipe"), headers }))).error.message).toBe(
        "Tool wipe not found",
      );
    },
  );

  it(
    "is in no user's document but of who sees it",
    verifies("kit.hidden", "kit.document-is-list"),
    async () => {
      const { url } = await start();
      const tags = new Set<string | null>();
      for (const name of ["bo", "eve", "ada"]) {
        const headers = as(name);
        const response = await fetch(`${url}/openapi.json`, { headers });
        tags.add(response.headers.get("etag"));
        expect(response.headers.get("cache-control")).toBe("private, no-cache");
        expect(response.headers.get("vary")).toBe("Accept, Authorization, Cookie");
        const { paths } = (await response.json()) as {
          paths: Record<string, { post: { operationId: string } }>;
        };
        const listed = names(await message(askModern(url, { method: "tools/list", headers })));
        expect(Object.values(paths).map(({ post }) => post.operationId)).toEqual(listed);
      }
      expect(tags.size).toBe(2);
      const cross = await fetch(`${url}/openapi.json`, {
        headers: { ...as("bo"), "if-none-match": [...tags].join(", ") },
      });
      expect(cross.status).toBe(304);
    },
  );

  it("is in no document for nobody, where there is one for them", verifies("kit.hidden"), async () => {
    const { url } = await start({ openapi: { anonymous: "public-subset" } });
    const text = await (await fetch(`${url}/openapi.json`)).text();
    expect(text).toContain("/mcp/tools/add");
    expect(text).not.toContain("wipe");
  });

  it(
    "whose predicate fails gives 500 and nothing, and other tools go on",
    verifies("kit.predicate-throws"),
    async () => {
      const { url } = await start();
      const session = await openSession(url, as("ada"));
      broken = true;
      for (const response of [
        await askModern(url, { method: "tools/list", headers: as("ada") }),
        await askModern(url, { ...call("wipe", { city: "x" }), headers: as("ada") }),
        await askLegacy(url, { method: "tools/list", headers: session }),
        await fetch(`${url}/openapi.json`, { headers: as("ada") }),
      ]) {
        const text = await response.text();
        expect(response.status).toBe(500);
        expect(text).not.toMatch(/hunter2|add|wipe/);
      }
      const fine = await message(askModern(url, { ...call("who"), headers: as("ada") }));
      expect(fine.result.content[0].text).toBe("ada");
    },
  );
});
