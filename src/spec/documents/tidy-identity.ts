/** What can be used of a card or server.json: members of their right types, remotes that can be called. */
import type { JsonObject, JsonValue } from "../json.ts";
import { identityMembers } from "./card-shape.ts";
import type { Findings } from "./findings.ts";
import { transportType } from "./legacy-card.ts";
import { urlFaults } from "./lint-url.ts";
import type { Remote, ServerIdentity } from "./server-card.ts";
import { object, own, tidy } from "./shape.ts";
import { templateParts, VARIABLE_NAME } from "./template.ts";

const lenient = object([], identityMembers);

export function tidyIdentity(
  source: JsonObject,
  {
    findings,
    url,
    pointer = "",
  }: { readonly findings: Findings; readonly url?: string; readonly pointer?: string },
): ServerIdentity {
  const given = own(source, "remotes");
  const remotes = Array.isArray(given)
    ? given.map((remote: JsonValue) => withPlainType(remote, url))
    : undefined;
  const tidied = tidy(lenient, { ...source, ...(remotes === undefined ? {} : { remotes }) }) as JsonObject;
  const { name, version, description, ...rest } = tidied as Partial<ServerIdentity>;
  const kept = (remotes ?? []).map((remote) => callable(remote));
  for (const [index, remote] of kept.entries()) {
    if (remote === null)
      findings.add("remote-dropped", `${pointer}/remotes/${index}`, "the remote can't be used");
  }
  return {
    name: name ?? "",
    version: version ?? "",
    description: description ?? "",
    ...rest,
    ...(remotes === undefined ? {} : { remotes: kept.filter((remote) => remote !== null) }),
  };
}

/** Its type in today's words, its URL absolute where it was relative. */
function withPlainType(remote: JsonValue, base: string | undefined): JsonValue {
  const address = own(remote, "url");
  if (typeof address !== "string") return remote;
  const type = transportType(own(remote, "type"), address);
  const relative = !/^[a-zA-Z][a-zA-Z0-9+.-]*:|^\{/.test(address);
  const absolute =
    relative && base !== undefined && URL.canParse(address, base) ? new URL(address, base).href : address;
  return { ...(remote as JsonObject), ...(type === null ? {} : { type }), url: absolute };
}

const shape = object([], { remotes: identityMembers.remotes as never });

function callable(remote: JsonValue): Remote | null {
  const tidied = tidy(shape, { remotes: [remote] }) as { readonly remotes: readonly Remote[] };
  const [kept] = tidied.remotes;
  if (kept === undefined || /\s/.test(kept.url)) return null;
  const first = templateParts(kept.url)[0];
  const opens = first !== undefined && "placeholder" in first && VARIABLE_NAME.test(first.placeholder);
  if (!opens && !/^https?:\/\/[^/?#]/i.test(kept.url)) return null;
  // A catalog keeps no credential, and would send this one for everybody.
  return urlFaults(kept.url).some(({ code }) => code === "credential-in-url") ? null : kept;
}
