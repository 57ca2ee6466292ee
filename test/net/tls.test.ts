/** Certificates: what does not verify is `tls-failed` with its reason, what does is used under the name that was asked for. */
import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import { createServer, type TlsOptions } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { LookupAddresses } from "../../src/net/index.ts";
import { failure, limits, network, serveSocket, text, watch } from "./servers.ts";

// The fixtures: an authority, and leaves for relay.test and 127.0.0.1 (one valid to 2120, one expired in 2021), and a self-signed one.
const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");
const key = fixture("server.key");
const before = tls.getCACertificates("default");

const trust = (): void => tls.setDefaultCACertificates([...before, fixture("ca.pem")]);

beforeAll(trust);
afterAll(() => tls.setDefaultCACertificates(before));

const local: LookupAddresses = async () => [{ address: "127.0.0.1", family: 4 }];

async function serveTls(certificate: string, options: TlsOptions = {}) {
  const names: unknown[] = [];
  const server = createServer({ key, cert: fixture(certificate), ...options }, (socket) => {
    names.push((socket as unknown as { servername: unknown }).servername);
    socket.on("error", () => {});
    socket.on("data", () =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok"),
    );
  });
  server.on("tlsClientError", () => {});
  return { ...(await watch(server, "127.0.0.1", "https")), names };
}

test.each([
  ["expired.pem", "127.0.0.1", "certificate-expired", "has expired"],
  ["self-signed.pem", "127.0.0.1", "certificate-self-signed", "is self-signed"],
  ["valid.pem", "other.test", "certificate-name", "is for another name"],
  ["expired.pem", "relay.test", "certificate-expired", "has expired"],
])("%s for %s", async (certificate, host, reason, sentence) => {
  const server = await serveTls(certificate);
  const { exchange, connections } = network({ lookup: local });
  const url = `https://${host}:${server.port}/mcp`;
  const error = await failure(exchange({ method: "POST", url, body: "{}" }, limits));
  expect(error).toMatchObject({ code: "tls-failed", data: { reason } });
  expect(error.message).toBe(`the certificate of https://${host}:${server.port} ${sentence}`);
  expect(connections().open).toBe(0);
});

test("an authority that nobody knows", async () => {
  tls.setDefaultCACertificates(before);
  onTestFinished(trust);
  const server = await serveTls("valid.pem");
  const error = await failure(network().exchange({ method: "GET", url: server.url }, limits));
  expect([error.code, error.data.reason]).toEqual(["tls-failed", "certificate-untrusted"]);
});

test("a certificate that verifies is used, for a name and for an address", async () => {
  const server = await serveTls("valid.pem");
  const { exchange } = network({ lookup: local });
  for (const host of ["relay.test", "127.0.0.1", "relay.test."]) {
    const response = await exchange({ method: "GET", url: `https://${host}:${server.port}/` }, limits);
    expect([host, await text(response)]).toEqual([host, "ok"]);
  }
  // The name travels although the socket was opened to an address that we resolved ourselves.
  expect(server.names).toEqual(["relay.test", false, "relay.test"]);
});

test("a resumed session is still for its own name", async () => {
  const server = await serveTls("valid.pem");
  const { exchange } = network({ lookup: local });
  const get = (host: string) =>
    exchange({ method: "GET", url: `https://${host}:${server.port}/` }, limits).then(text);
  expect([await get("relay.test"), await get("relay.test")]).toEqual(["ok", "ok"]);
  expect((await failure(get("other.test"))).data.reason).toBe("certificate-name");
});

test("a server that speaks no TLS", async () => {
  const server = await serveSocket((socket) => {
    socket.on("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  });
  const error = await failure(
    network().exchange({ method: "GET", url: `https://127.0.0.1:${server.port}/` }, limits),
  );
  expect(error).toMatchObject({ code: "tls-failed", data: { reason: "tls-handshake" } });
});

test("a handshake that never ends is within the timer", async () => {
  const server = await serveSocket((socket) => socket.resume());
  const error = await failure(
    network().exchange(
      { method: "GET", url: `https://127.0.0.1:${server.port}/` },
      { ...limits, timeoutMs: 100 },
    ),
  );
  expect(error).toMatchObject({ code: "timeout", data: { phase: "connection" } });
  await server.closed(1);
});

test("an old protocol is refused", async () => {
  const server = await serveTls("valid.pem", {
    minVersion: "TLSv1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  });
  const error = await failure(network().exchange({ method: "GET", url: server.url }, limits));
  expect(error.code).toBe("tls-failed");
});
