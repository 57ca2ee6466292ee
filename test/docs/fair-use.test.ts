/** docs/fair-use.md is what operators and clients plan with: its numbers are the code's. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { DEFAULT_BUDGETS } from "../../src/catalog/index.ts";
import { MAX_CALLS_OF_CLIENT, MAX_CALLS_OF_RELAY } from "../../src/catalog/limits.ts";
import { parseServeOptions } from "../../src/server/index.ts";

const page = await readFile(new URL("../../docs/fair-use.md", import.meta.url), "utf8");

it("lists the budgets with their defaults", () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| .* \| ([\d,]+) \| ([\d,]+) \|$/gm)].map(
    ([, name, burst = "", perMinute = ""]) => [
      name,
      { perMinute: Number(perMinute.replace(",", "")), burst: Number(burst.replace(",", "")) },
    ],
  );
  expect(Object.fromEntries(rows)).toEqual(DEFAULT_BUDGETS);
});

it("names the bounds on calls at once", () => {
  expect(page).toContain(`${MAX_CALLS_OF_CLIENT} of one client and ${MAX_CALLS_OF_RELAY} to one relay`);
});

it("shows limits that can be set, and proxies that can be trusted, as they stand there", () => {
  const [, json = ""] = /^```json\n(\{\n {2}"call"[^`]*)```/m.exec(page) ?? [];
  expect(parseServeOptions({ limits: json }).budgets).toMatchObject({ bulk: null, call: { burst: 120 } });
  const proxies = [...page.matchAll(/^\| `([^`-]+)` \| (?:the one proxy|proxies|as above)/gm)].map(
    ([, text]) => text,
  );
  expect(proxies).toHaveLength(4);
  for (const trustProxy of proxies) expect(parseServeOptions({ trustProxy }).trustProxy).not.toBeNull();
});
