import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson, readJson, readText } from "../../src/http/index.ts";
import { type JsonValue, MAX_JSON_DEPTH } from "../../src/spec/index.ts";

function post(
  body: string | Uint8Array | ReadableStream | null,
  headers: Record<string, string> = {},
): Request {
  return new Request("http://catalog.test/", {
    method: "POST",
    body,
    headers,
    duplex: "half",
  } as RequestInit);
}

/** A body that counts what was taken of it. */
function endless(chunk: Uint8Array) {
  let taken = 0;
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        taken += 1;
        controller.enqueue(chunk);
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, taken: () => taken, cancelled: () => cancelled };
}

describe("readText", () => {
  test("does not read what is compressed as if it were not", async () => {
    for (const coding of ["gzip", "BR", "gzip, identity", "nonsense"]) {
      await expect(readText(post("{}", { "content-encoding": coding }))).rejects.toMatchObject({
        code: "unsupported-media-type",
        data: { field: "Content-Encoding" },
      });
    }
    expect(await readText(post("{}", { "content-encoding": "Identity" }))).toBe("{}");
  });

  test("refuses a declared length over the limit without reading", async () => {
    const body = endless(new Uint8Array(10));
    const request = post(body.stream, { "content-length": "11" });
    await expect(readText(request, { maxBytes: 10 })).rejects.toMatchObject({ code: "too-large" });
    expect(body.taken()).toBe(0);
  });

  test("stops an undeclared one as soon as the limit is passed, and lets go of it", async () => {
    const body = endless(new Uint8Array(100));
    await expect(readText(post(body.stream), { maxBytes: 1000 })).rejects.toMatchObject({
      code: "too-large",
    });
    expect(body.taken()).toBe(11);
    expect(body.cancelled()).toBe(true);
  });

  test("takes exactly the limit", async () => {
    expect(await readText(post("x".repeat(10)), { maxBytes: 10 })).toHaveLength(10);
  });

  test("a length that lies is still held to the limit", async () => {
    const request = post("x".repeat(20), { "content-length": "5" });
    await expect(readText(request, { maxBytes: 10 })).rejects.toMatchObject({ code: "too-large" });
  });

  test.each([[[0xff]], [[0xc3]], [[0xed, 0xa0, 0x80]], [[0xc0, 0xaf]]])(
    "refuses the bytes %j",
    async (bytes) => {
      await expect(readText(post(Uint8Array.from(bytes)))).rejects.toMatchObject({
        code: "invalid-input",
        message: "the body is not valid UTF-8",
      });
    },
  );

  test("a body that breaks off is the sender's fault, not ours", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
    await expect(readText(post(broken))).rejects.toMatchObject({ code: "invalid-input" });
  });

  test("chunks are put together in order, whatever the cuts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 1, max: 7 }),
        async (text, size) => {
          const bytes = new TextEncoder().encode(text);
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
            bytes.slice(at * size, (at + 1) * size),
          );
          const stream = new ReadableStream({
            start(controller) {
              for (const chunk of chunks) controller.enqueue(chunk);
              controller.close();
            },
          });
          expect(await readText(post(stream))).toBe(text);
        },
      ),
    );
  });
});

describe("readJson", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/vnd.x+json",
  ])("takes %s", async (type) => {
    expect(await readJson(post('{"a":1}', { "content-type": type }))).toEqual({ a: 1 });
  });

  test("takes a body without a type: curl sends none with -d @- through some proxies", async () => {
    expect(await readJson(post(new TextEncoder().encode("[1]")))).toEqual([1]);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "multipart/form-data"])(
    "refuses %s",
    async (type) => {
      await expect(readJson(post("{}", { "content-type": type }))).rejects.toMatchObject({
        code: "unsupported-media-type",
      });
    },
  );

  test("nothing is undefined", async () => {
    expect(await readJson(post(null))).toBeUndefined();
    expect(await readJson(post(" \n", { "content-type": "application/json" }))).toBeUndefined();
  });
});

describe("parseJson", () => {
  test("reads what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
        expect(parseJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("measures depth outside of strings only", () => {
    const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
    expect(parseJson(nested(MAX_JSON_DEPTH))).toBeInstanceOf(Array);
    expect(() => parseJson(nested(MAX_JSON_DEPTH + 1))).toThrow(/nested deeper than 128/);
    expect(() => parseJson("[".repeat(1_000_000))).toThrow(/nested deeper/);
    const brackets = JSON.stringify({ text: `\\"${"[{".repeat(500)}` });
    expect(parseJson(brackets) as JsonValue).toEqual(JSON.parse(brackets));
  });

  test.each(["{", "nul", "{'a':1}", "[1,]", "NaN", ""])("refuses %j", (text) => {
    expect(() => parseJson(text)).toThrow(/not valid JSON/);
  });
});
