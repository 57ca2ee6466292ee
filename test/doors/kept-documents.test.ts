import { expect, test } from "vitest";
import { createKeptDocuments } from "../../src/doors/rest/kept-documents.ts";

test("a document is made once while its record stays as it is, and what is kept is bounded", () => {
  const made: string[] = [];
  const documents = createKeptDocuments(40);
  const ask = (id: string, record: string) =>
    documents.of(id, record, () => {
      made.push(record);
      return record.toUpperCase();
    });
  expect([ask("a", "one"), ask("a", "one"), ask("a", "two"), ask("a", "two")]).toEqual([
    "ONE",
    "ONE",
    "TWO",
    "TWO",
  ]);
  expect(made.splice(0)).toEqual(["one", "two"]);
  // 10 characters each with their documents: the fifth pushes out what was asked for longest ago.
  for (const record of ["aaaaa", "bbbbb", "ccccc"]) ask(record, record);
  ask("a", "two");
  for (const record of ["ddddd", "eeeee"]) ask(record, record);
  made.length = 0;
  ask("a", "two");
  ask("eeeee", "eeeee");
  expect(made).toEqual([]);
  ask("aaaaa", "aaaaa");
  expect(made.splice(0)).toEqual(["aaaaa"]);
  ask("big", "x".repeat(30));
  ask("big", "x".repeat(30));
  expect(made).toHaveLength(2);
});
