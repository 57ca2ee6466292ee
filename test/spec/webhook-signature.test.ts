import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sign, verifySignature } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";

const secret = "whsec_4f1c";
const body = '{"id":"1","event":"relay.online"}';

afterEach(() => {
  vi.restoreAllMocks();
});

describe("sign", () => {
  it("is the HMAC that Node computes, over text and bytes alike", verifies("webhook.signature"), async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.string({ unit: "grapheme" }),
        async (key, text) => {
          const expected = `sha256=${createHmac("sha256", key).update(text, "utf8").digest("hex")}`;
          expect(await sign(key, text)).toBe(expected);
          expect(await sign(key, Buffer.from(text, "utf8"))).toBe(expected);
        },
      ),
    );
  });

  it("signs raw bytes that are no text", async () => {
    const bytes = Uint8Array.of(0, 255, 254, 128);
    const expected = createHmac("sha256", secret).update(bytes).digest("hex");
    expect(await sign(secret, bytes)).toBe(`sha256=${expected}`);
    expect(await sign(secret, new Uint8Array([9, ...bytes, 9]).subarray(1, 5))).toBe(`sha256=${expected}`);
  });

  it("refuses an empty secret", async () => {
    await expect(sign("", body)).rejects.toMatchObject({ code: "invalid-input", data: { field: "secret" } });
  });
});

describe("verifySignature", () => {
  it("accepts what sign gave, for any secret and bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), fc.uint8Array(), async (key, bytes) => {
        expect(await verifySignature(key, bytes, await sign(key, bytes))).toBe(true);
      }),
    );
  });

  it("accepts hex digits of either case", async () => {
    const signature = await sign(secret, body);
    expect(await verifySignature(secret, body, `sha256=${signature.slice(7).toUpperCase()}`)).toBe(true);
  });

  it("refuses one changed digit, byte or letter of the secret", async () => {
    const signature = await sign(secret, body);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 63 }),
        fc.integer({ min: 0, max: body.length - 1 }),
        async (digit, byte) => {
          const at = 7 + digit;
          const other = signature[at] === "0" ? "1" : "0";
          expect(
            await verifySignature(secret, body, signature.slice(0, at) + other + signature.slice(at + 1)),
          ).toBe(false);
          const bytes = Buffer.from(body);
          bytes[byte] = (bytes[byte] ?? 0) ^ 1;
          expect(await verifySignature(secret, bytes, signature)).toBe(false);
        },
      ),
      { numRuns: 30 },
    );
    expect(await verifySignature(`${secret} `, body, signature)).toBe(false);
  });

  it("refuses a body that was parsed and serialised again", verifies("webhook.verify-raw"), async () => {
    const raw = '{ "id": "1" }';
    expect(await verifySignature(secret, JSON.stringify(JSON.parse(raw)), await sign(secret, raw))).toBe(
      false,
    );
  });

  it.each([
    null,
    undefined,
    "",
    "sha256=",
    "sha256",
    "sha1=da39a3ee5e6b4b0d3255bfef95601890afd80709",
    `sha256=${"0".repeat(63)}`,
    `sha256=${"0".repeat(65)}`,
    `sha256=${"g".repeat(64)}`,
    `sha256=${"0".repeat(64)}\n`,
    ` sha256=${"0".repeat(64)}`,
    `sha256=${"0".repeat(64)}, sha256=${"0".repeat(64)}`,
    "0".repeat(64),
    `sha256=${"\u{1D7D8}".repeat(64)}`,
    "x".repeat(100_000),
  ])("answers false, and never throws, for the header %.30j", async (signature) => {
    expect(await verifySignature(secret, body, signature)).toBe(false);
  });

  it("answers for any header at all", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (signature) => {
        expect(await verifySignature(secret, body, signature)).toBe(false);
        expect(await verifySignature(secret, body, `sha256=${signature}`)).toBe(false);
      }),
    );
  });

  it("proves nothing under an empty secret", async () => {
    const forged = `sha256=${createHmac("sha256", "").update(body).digest("hex")}`;
    expect(await verifySignature("", body, forged)).toBe(false);
  });

  it("leaves the comparison to WebCrypto, which takes constant time", async () => {
    const verify = vi.spyOn(crypto.subtle, "verify");
    await verifySignature(secret, body, `sha256=${"0".repeat(64)}`);
    expect(verify).toHaveBeenCalledOnce();
  });
});
