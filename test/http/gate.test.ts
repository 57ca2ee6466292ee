import { describe, expect, test } from "vitest";
import { createGate } from "../../src/http/index.ts";

function allowed(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "forbidden" });
    return false;
  }
}

const asked = (headers: Record<string, string>, url = "http://127.0.0.1:8790/") =>
  new Request(url, { headers });

describe("Host", () => {
  const local = createGate({ url: "http://127.0.0.1:8790" });
  const open = createGate({ url: "https://catalog.example", hosts: ["internal.example"] });

  test.each([
    ["127.0.0.1:8790", true, false],
    ["localhost", true, false],
    ["localhost:1", true, false],
    ["LOCALHOST:8790", true, false],
    ["[::1]:8790", true, false],
    ["127.9.9.9", true, false],
    ["app.localhost", true, false],
    ["catalog.example", false, true],
    ["Catalog.Example:8443", false, true],
    ["internal.example", false, true],
    ["evil.example", false, false],
    ["127.0.0.1.evil.example", false, false],
    ["localhost.evil.example", false, false],
    ["evil.example#127.0.0.1", false, false],
    ["127.0.0.1@evil.example", false, false],
    ["evil.example/127.0.0.1", false, false],
    ["catalog.example.evil.example", false, false],
    ["", false, false],
    ["10.0.0.5", false, false],
  ])("%j: to a local catalog %s, to catalog.example %s", (host, toLocal, toOpen) => {
    expect(allowed(() => local.checkHost(asked({ host })))).toBe(toLocal);
    expect(allowed(() => open.checkHost(asked({ host }, "https://catalog.example/")))).toBe(toOpen);
  });

  test("without the header the URL's own host counts", () => {
    expect(allowed(() => local.checkHost(new Request("http://localhost/")))).toBe(true);
    expect(allowed(() => local.checkHost(new Request("http://evil.example/")))).toBe(false);
  });

  test("an absolute target counts as the host that was asked, whatever the header says", () => {
    const target = asked({ host: "127.0.0.1:8790" }, "http://evil.example/v1/relays");
    expect(allowed(() => local.checkHost(target))).toBe(false);
  });

  test("a refusal stays a refusal when it is asked again", () => {
    for (let round = 0; round < 3; round += 1) {
      expect(allowed(() => open.checkHost(asked({ host: "evil.example" }, "https://catalog.example/")))).toBe(
        false,
      );
    }
  });
});

describe("Origin", () => {
  const local = createGate({ url: "http://127.0.0.1:8790" });
  const open = createGate({ url: "https://catalog.example", origins: ["https://app.example"] });

  test.each([
    ["http://127.0.0.1:8790", true, false],
    ["http://localhost:6274", true, false],
    ["https://catalog.example", false, true],
    ["https://app.example", false, true],
    ["http://app.example", false, false],
    ["https://evil.example", false, false],
    ["https://catalog.example.evil.example", false, false],
    ["null", false, false],
    ["", false, false],
    ["chrome-extension://abc", false, false],
  ])("%j: to a local catalog %s, to catalog.example %s", (origin, toLocal, toOpen) => {
    expect(allowed(() => local.checkOrigin(asked({ origin })))).toBe(toLocal);
    expect(allowed(() => open.checkOrigin(asked({ origin })))).toBe(toOpen);
  });

  test("no Origin is no browser", () => {
    expect(allowed(() => open.checkOrigin(asked({})))).toBe(true);
  });
});
