import { expect, it } from "vitest";
import { nearNames } from "../../src/catalog/near-names.ts";

it.each([
  ["get-job", ["getJob", "put_job", "list"], ["getJob", "put_job"]],
  ["serach", ["search", "fetch"], ["search"]],
  ["file", ["read_file"], ["read_file"]],
  ["!!", ["a"], []],
])("for %j of %j it names %j", (wanted, names, near) => {
  expect(nearNames(wanted, names)).toEqual(near);
});
