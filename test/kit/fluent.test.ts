/** The short form: every kind of schema and result over the wire, and the types that it gives, held by the compiler. */
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import {
  type FluentServer,
  type FromJsonSchema,
  result,
  server,
  withJsonSchema,
} from "../../src/kit/index.ts";
import { verifies } from "../requirements.ts";
import { askModern, message } from "./kit-fixture.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(relay: FluentServer<undefined, null>) {
  const on = await relay.listen();
  closing.push(() => on.close());
  return async (method: string, params: object = {}) => {
    const answer = await message(askModern(on.url, { method, params: params as never }));
    return answer.result ?? answer.error;
  };
}

const call = (name: string, args: object = {}) => ["tools/call", { name, arguments: args }] as const;

/** A Standard Schema that says nothing of JSON Schema, as some libraries' do. */
const even = {
  "~standard": {
    version: 1,
    vendor: "by-hand",
    types: undefined as { input: { n: number }; output: { n: number; half: number } } | undefined,
    validate: (value: unknown) => {
      const { n } = value as { n: number };
      return n % 2 === 0 ? { value: { n, half: n / 2 } } : { issues: [{ message: "odd" }] };
    },
  },
} as const;

describe("a tool", () => {
  it("takes zod, any Standard Schema and JSON Schema, and lists them", verifies("kit.fluent"), async () => {
    const ask = await start(
      server("all", "1.0.0")
        .tool("zod", { input: z.object({ name: z.string().default("you") }) }, ({ name }) => {
          expectTypeOf(name).toEqualTypeOf<string>();
          return name;
        })
        .tool(
          "standard",
          { input: withJsonSchema(even, { type: "object", properties: { n: { type: "number" } } }) },
          ({ half }) => {
            expectTypeOf(half).toEqualTypeOf<number>();
            return String(half);
          },
        )
        .tool(
          "raw",
          {
            input: {
              type: "object",
              properties: { unit: { enum: ["C", "F"] }, days: { type: "integer" } },
              required: ["unit"],
            },
            output: { type: "object", properties: { unit: { type: "string" } }, required: ["unit"] },
          },
          ({ unit, days }) => {
            expectTypeOf(unit).toEqualTypeOf<"C" | "F">();
            expectTypeOf(days).toEqualTypeOf<number | undefined>();
            return { unit };
          },
        )
        .tool("none", {}, (input) => {
          expectTypeOf(input).toEqualTypeOf<undefined>();
          return undefined;
        }),
    );
    expect((await ask(...call("zod"))).content[0].text).toBe("you");
    expect((await ask(...call("standard", { n: 8 }))).content[0].text).toBe("4");
    expect((await ask(...call("standard", { n: 7 }))).content[0].text).toContain("odd");
    expect((await ask(...call("raw", { unit: "C" }))).structuredContent).toEqual({ unit: "C" });
    expect((await ask(...call("raw", { unit: "K" }))).isError).toBe(true);
    expect((await ask(...call("none"))).content).toEqual([]);
    const { tools } = await ask("tools/list");
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(["zod", "standard", "raw", "none"]);
    expect(tools[2].inputSchema.properties.unit).toEqual({ enum: ["C", "F"] });
  });

  it("has title, annotations, icons, meta and an output that is held", verifies("kit.fluent"), async () => {
    const icons = [{ src: "https://x.example/i.png", mimeType: "image/png", sizes: ["48x48"] }];
    const ask = await start(
      server("rich", "1.0.0", { title: "Rich", icons, instructions: "Be kind." })
        .tool(
          "rich",
          {
            title: "T",
            annotations: { readOnlyHint: true },
            icons,
            meta: { "x.example/a": 1 },
            output: z.object({ n: z.number() }),
          },
          () => ({ n: 1 }),
        )
        .tool("wrong", { output: z.object({ n: z.number() }) }, () => ({ n: "one" }) as never)
        .tool("beside", { output: z.object({ n: z.number() }) }, () =>
          result({
            content: [{ type: "text", text: "one" }],
            structuredContent: { n: 1 },
            _meta: { "x.example/b": 2 },
          }),
        )
        .tool("block", {}, () => ({ type: "text", text: "a block" }))
        .tool("blocks", {}, () => [
          { type: "text", text: "a" },
          { type: "image", data: "AA==", mimeType: "image/png" },
        ]),
    );
    const [listed] = (await ask("tools/list")).tools;
    expect(listed).toMatchObject({
      title: "T",
      annotations: { readOnlyHint: true },
      icons,
      _meta: { "x.example/a": 1 },
    });
    expect(await ask(...call("rich"))).toMatchObject({
      structuredContent: { n: 1 },
      content: [{ type: "text", text: '{"n":1}' }],
    });
    expect((await ask(...call("wrong"))).isError).toBe(true);
    expect(await ask(...call("beside"))).toMatchObject({
      content: [{ text: "one" }],
      _meta: { "x.example/b": 2 },
    });
    expect((await ask(...call("block"))).content).toEqual([{ type: "text", text: "a block" }]);
    expect((await ask(...call("blocks"))).content).toHaveLength(2);
    expect(await ask("server/discover")).toMatchObject({ instructions: "Be kind." });
  });

  it("whose schema is none is refused by name", verifies("kit.fluent"), () => {
    expect(() => server("x", "1.0.0").tool("odd", { input: even }, () => "")).toThrow(
      /input of odd .*withJsonSchema/,
    );
    expect(() => server("x", "1.0.0").tool("bad", { input: { type: "nonsense" } }, () => "")).toThrow(
      /input of bad/,
    );
  });
});

describe("resources and prompts", () => {
  it("give texts, bytes and messages", verifies("kit.fluent"), async () => {
    const ask = await start(
      server("notes", "1.0.0")
        .resource("all", "note://all", { mimeType: "text/plain" }, () => "everything")
        .resource("bytes", "note://bytes", {}, () => new Uint8Array([1, 2, 3]))
        .resource(
          "one",
          "note://{id}{?lang}",
          { list: () => [{ uri: "note://7", name: "seven" }] },
          ({ variables }) => {
            expectTypeOf(variables).toEqualTypeOf<{ readonly id: string; readonly lang: string }>();
            return `note ${variables.id}`;
          },
        )
        .prompt(
          "review",
          { input: z.object({ code: z.string() }), description: "Reviews." },
          ({ code }) => `Review ${code}`,
        )
        .prompt("talk", {}, () => [{ role: "assistant", content: { type: "text", text: "Hi." } }]),
    );
    const read = async (uri: string) => (await ask("resources/read", { uri, name: uri })).contents?.[0];
    expect(await read("note://all")).toEqual({
      uri: "note://all",
      mimeType: "text/plain",
      text: "everything",
    });
    expect(await read("note://bytes")).toMatchObject({ blob: "AQID" });
    expect(await read("note://7?lang=en")).toMatchObject({ text: "note 7" });
    expect((await ask("resources/list")).resources.map(({ name }: { name: string }) => name)).toEqual([
      "all",
      "bytes",
      "seven",
    ]);
    const review = await ask("prompts/get", { name: "review", arguments: { code: "x" } });
    expect(review).toMatchObject({
      description: "Reviews.",
      messages: [{ role: "user", content: { text: "Review x" } }],
    });
    expect((await ask("prompts/get", { name: "talk" })).messages[0].role).toBe("assistant");
  });
});

describe("a server in the short form", () => {
  it("is the SDK's own, and each step leaves the one before as it was", verifies("kit.fluent"), async () => {
    const base = server("base", "1.0.0").tool("one", {}, () => "1");
    base.tool("two", {}, () => "2");
    const ask = await start(base);
    expect((await ask("tools/list")).tools).toHaveLength(1);
    expect(base.build().constructor.name).toBe("McpServer");
    expect(base.build()).not.toBe(base.build());
    expect(base.serve()).toBe(base.serve());
  });

  it("is typed by its users", verifies("kit.fluent"), () => {
    const typed = server("typed", "1.0.0", {
      authenticate: () => ({ id: "bo", admin: true }),
      sessions: { state: () => ({ count: 0 }) },
    });
    typed.tool("one", { visible: (user) => user.admin }, async (_, { user, session }) => {
      expectTypeOf(user).toEqualTypeOf<{ id: string; admin: boolean }>();
      expectTypeOf(await session?.state.get()).toEqualTypeOf<{ count: number } | undefined>();
      return user.id;
    });
    typed.tool(
      "literal",
      { output: z.object({ unit: z.enum(["C", "F"]), at: z.array(z.number()) }) },
      () => ({
        unit: "C",
        at: [1],
      }),
    );
    typed.tool("nothing", {}, async () => {});
    // @ts-expect-error: neither text nor content.
    typed.tool("seven", {}, () => 7);
    // @ts-expect-error: an output of another form.
    typed.tool("wrong", { output: z.object({ n: z.number() }) }, () => ({ n: "one" }));
    // @ts-expect-error: a member that the schema does not have.
    typed.tool("wrong2", { input: z.object({ a: z.string() }) }, ({ b }) => b);
  });

  it(
    "reads JSON Schema literals, and promises nothing of what it does not follow",
    verifies("kit.fluent"),
    () => {
      expectTypeOf<FromJsonSchema<{ type: "array"; items: { type: "string" } }>>().toEqualTypeOf<string[]>();
      expectTypeOf<FromJsonSchema<{ type: readonly ["string", "null"] }>>().toEqualTypeOf<string | null>();
      expectTypeOf<
        FromJsonSchema<{ anyOf: readonly [{ type: "number" }, { const: "auto" }] }>
      >().toEqualTypeOf<number | "auto">();
      expectTypeOf<FromJsonSchema<{ $ref: "#/$defs/x" }>>().toEqualTypeOf<unknown>();
      expectTypeOf<FromJsonSchema<{ type: "object" }>>().toEqualTypeOf<Record<string, unknown>>();
    },
  );
});
