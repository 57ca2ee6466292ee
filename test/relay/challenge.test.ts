/** `WWW-Authenticate` as it is found in the field (RFC 9110 section 11.6.1, RFC 9728 section 5.1). */
import { expect, it } from "vitest";
import type { AuthChallenge } from "../../src/spec/index.ts";
import { lookAt, serve } from "./harness.ts";

const none: AuthChallenge = { scheme: null, realm: null, scope: null, resourceMetadata: null };
const url = "https://relay.example/.well-known/oauth-protected-resource";

it.each<[string, AuthChallenge | null]>([
  ["Bearer", { ...none, scheme: "Bearer" }],
  ['Bearer realm="a, b=c"', { ...none, scheme: "Bearer", realm: "a, b=c" }],
  [
    `Bearer resource_metadata="${url}", scope="a b"`,
    { ...none, scheme: "Bearer", scope: "a b", resourceMetadata: url },
  ],
  [`Bearer resource_metadata=${url}`, { ...none, scheme: "Bearer", resourceMetadata: url }],
  [
    `bearer error="invalid_token",error_description="no \\"token\\"",Resource_Metadata = "${url}"`,
    { ...none, scheme: "bearer", resourceMetadata: url },
  ],
  ['Basic realm="x", Bearer realm="y"', { ...none, scheme: "Bearer", realm: "y" }],
  [
    `Negotiate YIIabc=, Bearer realm="y", DPoP resource_metadata="${url}"`,
    { ...none, scheme: "DPoP", resourceMetadata: url },
  ],
  ['Negotiate, Basic realm="z"', { ...none, scheme: "Negotiate" }],
  ["ApiKey", { ...none, scheme: "ApiKey" }],
  ['Bearer resource_metadata="javascript:alert(1)"', { ...none, scheme: "Bearer" }],
  ['Bearer resource_metadata="not a url"', { ...none, scheme: "Bearer" }],
  [', ,="', null],
  ['realm="of nothing"', null],
])("%s", async (header, challenge) => {
  await using server = await serve(
    (_, response) => void response.writeHead(401, { "www-authenticate": header }).end(),
  );
  const verdict = await lookAt(server.url);
  expect(verdict.state).toBe("auth-required");
  expect(verdict.challenge).toEqual(challenge);
});

it("several headers are one list", async () => {
  await using server = await serve((_, response) => {
    response.writeHead(401, [
      "www-authenticate",
      'Basic realm="x"',
      "www-authenticate",
      `Bearer resource_metadata="${url}"`,
    ]);
    response.end();
  });
  expect((await lookAt(server.url)).challenge).toEqual({ ...none, scheme: "Bearer", resourceMetadata: url });
});
