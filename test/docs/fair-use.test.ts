/** docs/fair-use.md is what operators and clients plan with: its numbers are the code's. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { DEFAULT_BUDGETS } from "../../src/catalog/index.ts";
import {
  LARGE_MESSAGE_CHARS,
  MAX_CALLS_OF_CLIENT,
  MAX_CALLS_OF_RELAY,
  MAX_LARGE_PASSAGES,
  MAX_PASSAGES,
  MAX_PASSAGES_OF_CLIENT,
  MAX_PASSAGES_OF_ORIGIN,
  NO_PLACE_RETRY_SECONDS,
} from "../../src/catalog/limits.ts";
import { MAX_BATCH_MESSAGES, MAX_MESSAGE_BYTES, SLOW_READER_MS } from "../../src/doors/passage/limits.ts";
import { bodyBufferBytes } from "../../src/net/limits.ts";
import { CALL_IDLE_MS, MAX_CALL_BYTES, PASSAGE_IDLE_MS, PASSAGE_TIMEOUT_MS } from "../../src/relay/limits.ts";
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

it("names the bounds on what is passed through", () => {
  const [, said = ""] = /## Relays passed through\n([^#]*)/.exec(page) ?? [];
  const text = said.replace(/\s+/g, " ");
  for (const bound of [
    `${MAX_PASSAGES} under way in each process, ${MAX_PASSAGES_OF_CLIENT} of one client and ${MAX_PASSAGES_OF_ORIGIN} to one origin, ${MAX_LARGE_PASSAGES} with a message of more than ${LARGE_MESSAGE_CHARS / 1024} KiB`,
    `Retry-After: ${NO_PLACE_RETRY_SECONDS}`,
    `A message has ${MAX_MESSAGE_BYTES / 1024 ** 2} MiB and an answer ${MAX_CALL_BYTES / 1024 ** 2} MiB`,
    `a batch has ${MAX_BATCH_MESSAGES} messages`,
    `begin within ${CALL_IDLE_MS / 1_000} s, to bring a byte every ${PASSAGE_IDLE_MS / 60_000} minutes, and to end within ${PASSAGE_TIMEOUT_MS / 60_000}`,
    `takes nothing for ${SLOW_READER_MS / 1_000} s`,
    `${bodyBufferBytes / 1024} KiB`,
  ])
    expect(text).toContain(bound);
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
