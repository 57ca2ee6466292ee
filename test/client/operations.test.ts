/** The client's methods are the catalog's operations: a new operation without a method, or one of another shape, fails here. */
import { describe, expect, expectTypeOf, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { CatalogClient } from "../../src/client/index.ts";
import type {
  BulkJob,
  BulkOutput,
  CallToolInput,
  CallToolOutput,
  FindToolsInput,
  FindToolsOutput,
  ListRelaysInput,
  RelayRecord,
  RelaySummary,
  RelayToolsOutput,
  RemoveOutput,
} from "../../src/spec/index.ts";

/**
 * Answered in other ways: `list` gives the summaries, and how many there are is in its `total`; `facets`, `status` and `recent` are for
 * pages, and `changes` and the metrics say more. Published documents and the registry's
 * API are read by readers of such documents, whoever publishes them.
 */
const WITHOUT_METHOD = [
  "summaries",
  "counts",
  "facets",
  "status",
  "recent",
  "standing",
  "serverCard",
  "catalogCard",
  "aiCatalog",
  "mcpCatalog",
  "registryServers",
  "registryVersions",
  "registryVersion",
];

describe("the client", () => {
  it("has a method for every operation", () => {
    const methods = Object.getOwnPropertyNames(CatalogClient.prototype);
    expect(Object.keys(operations).filter((name) => !methods.includes(name))).toEqual(WITHOUT_METHOD);
  });

  it("takes and gives the wire's own types", () => {
    type Method<Name extends keyof CatalogClient> = CatalogClient[Name] extends (...args: infer A) => infer R
      ? { readonly input: A[0]; readonly output: Awaited<R> }
      : never;
    expectTypeOf<NonNullable<Method<"list">["input"]>>().toEqualTypeOf<ListRelaysInput>();
    expectTypeOf<Method<"list">["output"]["relays"]>().toEqualTypeOf<readonly RelaySummary[]>();
    expectTypeOf<Method<"get">["output"]>().toEqualTypeOf<RelayRecord>();
    expectTypeOf<Method<"tools">["output"]>().toEqualTypeOf<RelayToolsOutput>();
    expectTypeOf<Method<"find">>().toEqualTypeOf<{
      readonly input: FindToolsInput;
      readonly output: FindToolsOutput;
    }>();
    expectTypeOf<Method<"call">>().toEqualTypeOf<{
      readonly input: CallToolInput;
      readonly output: CallToolOutput;
    }>();
    expectTypeOf<Method<"bulk">["output"]>().toEqualTypeOf<BulkOutput>();
    expectTypeOf<Method<"bulkJob">["output"]>().toEqualTypeOf<BulkJob>();
    expectTypeOf<Method<"remove">["output"]>().toEqualTypeOf<RemoveOutput>();
    expect(true).toBe(true);
  });
});
