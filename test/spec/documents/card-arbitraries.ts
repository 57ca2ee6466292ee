/** Server Cards for the property tests: good ones, and ones with a wound anywhere. */
import fc from "fast-check";
import {
  type Input,
  type JsonObject,
  type JsonValue,
  type Remote,
  SERVER_CARD_SCHEMA,
  type ServerCard,
} from "../../../src/spec/index.ts";
import { jsonValue } from "../arbitraries.ts";

/** Unknown members, under names that trip naive code. */
const unknownMembers = fc.dictionary(
  fc.constantFrom("x-more", "constructor", "toString", "", "a/b", "~"),
  fc.constantFrom<JsonValue>(1, "text", true, ["list"], { deep: { er: [] } }),
  { maxKeys: 2 },
);

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const name = fc
  .tuple(fc.array(label, { minLength: 2, maxLength: 3 }), label)
  .map(([domain, server]) => `${domain.join(".")}/${server}`);
const url = fc.tuple(label, label).map(([host, path]) => `https://${host}.example.com/${path}`);
const shortText = fc
  .string({ unit: "binary", minLength: 1, maxLength: 100 })
  .filter((text) => !/[\ud800-\udfff]/.test(text));
const version = fc.constantFrom("1.0.0", "2.1.0-alpha", "2026-07-28", "7", "1.0.0-x86");

const optional = <T extends object>(members: object) =>
  fc.record(members as never, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

const input = optional<Input>({
  description: fc.constantFrom("Which tenant", ""),
  isRequired: fc.boolean(),
  format: fc.constantFrom("string", "number", "boolean", "filepath"),
  placeholder: fc.constant("acme"),
});

const remote: fc.Arbitrary<Remote> = fc
  .tuple(
    fc.constantFrom<Remote["type"]>("streamable-http", "sse"),
    url,
    optional<Remote>({
      headers: fc.array(
        fc
          .tuple(fc.stringMatching(/^X-[A-Z][a-z]{1,6}$/), input)
          .map(([header, rest]) => ({ ...rest, name: header })),
        { maxLength: 1 },
      ),
      supportedProtocolVersions: fc.constantFrom([], ["2026-07-28"], ["2025-06-18", "2025-11-25"]),
    }),
    fc.option(input, { nil: undefined }),
  )
  .map(([type, address, rest, tenant]) => ({
    type,
    ...rest,
    ...(tenant === undefined ? { url: address } : { url: `${address}/{tenant}`, variables: { tenant } }),
  }));

/** Without a fault: neither the schema nor a lint has anything to say. */
export const cleanCard: fc.Arbitrary<ServerCard> = fc
  .tuple(
    unknownMembers,
    fc.record({ name, version, description: shortText }),
    optional<ServerCard>({
      title: shortText,
      websiteUrl: url,
      repository: fc.record({ url, source: fc.constant("github") }),
      icons: fc.array(fc.record({ src: url, theme: fc.constantFrom<"light" | "dark">("light", "dark") }), {
        maxLength: 2,
      }),
      remotes: fc.array(remote, { minLength: 1, maxLength: 2 }),
      _meta: fc.constant({ "com.example/fact": { a: [1, null] } }),
    }),
  )
  .map(([unknown, required, rest]) => ({ ...unknown, $schema: SERVER_CARD_SCHEMA, ...required, ...rest }));

/** What a member may wrongly be. */
const wound = fc.oneof(
  jsonValue,
  fc.constantFrom<JsonValue>(
    null,
    "",
    "a",
    "../..",
    "a/b",
    "https://example.com/x y",
    "https://[::1]/",
    "https://[::ffff:1.2.3.4]:80/a?b#c",
    "https://[1:2]/",
    "https://h:x/",
    "http://user:pass@h/",
    "javascript:alert(1)",
    "mailto:a@b",
    "urn:",
    "urn:a",
    "//h/a",
    "x:/a//b",
    "https://h/%zz",
    "{tenant}/mcp",
    "{tenant-id}/mcp",
    "https://",
    "\u{1F600}".repeat(100),
    "\u{1F600}".repeat(101),
    "\ud83d".repeat(101),
    "x".repeat(255),
    "x".repeat(256),
    `${"a".repeat(100)}/${"b".repeat(99)}`,
    `${"a".repeat(100)}/${"b".repeat(100)}`,
    "line\n/break",
    "name/tail\n",
    "light",
    "sse",
  ),
);

/** A clean card with up to three of its values replaced, or gone. */
export const woundedCard: fc.Arbitrary<JsonValue> = fc
  .tuple(
    cleanCard,
    fc.array(fc.tuple(fc.nat(), fc.option(wound, { nil: undefined })), { minLength: 1, maxLength: 3 }),
  )
  .map(([card, wounds]) =>
    wounds.reduce<JsonValue>(
      (value, [at, by]) => {
        const paths = pathsOf(value);
        return replaced(value, paths[at % paths.length] ?? [], by) ?? {};
      },
      card as unknown as JsonObject,
    ),
  );

function pathsOf(value: JsonValue, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner as JsonValue, [...path, key])),
  ];
}

function replaced(
  value: JsonValue,
  [key, ...rest]: readonly string[],
  by: JsonValue | undefined,
): JsonValue | undefined {
  if (key === undefined) return by;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, JsonValue][] => {
    const next = name === key ? replaced(inner as JsonValue, rest, by) : (inner as JsonValue);
    return next === undefined ? [] : [[name, next]];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
