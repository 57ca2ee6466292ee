/** A description as the descriptor that a relay serves at `/.well-known/openmcp.json` (OpenMCP 0.1 "The descriptor"). */
import { type Descriptor, SPEC_VERSION } from "../descriptor.ts";
import { OpenMcpError } from "../error.ts";
import type { JsonObject } from "../json.ts";
import { fillRemote } from "./fill-remote.ts";
import { type PublishOptions, refuseFaults } from "./publishable.ts";
import { judgeDescriptor } from "./read-descriptor.ts";
import type { RelayDescription } from "./relay-description.ts";

/**
 * A descriptor names one endpoint: the first remote, filled with its own values and defaults.
 * @throws OpenMcpError `invalid-input` when there is no remote, when it can't be filled without asking someone, and for all that must
 * not be published; `data.field` is a JSON Pointer, the value is not repeated.
 */
export function toDescriptor(description: RelayDescription, options: PublishOptions = {}): Descriptor {
  const { title, name, websiteUrl, auth, tags, operator, webhooks, tools, catalogs, listed } = description;
  const descriptor: Descriptor = {
    openmcp: SPEC_VERSION,
    mcp: endpointOf(description),
    name: title ?? name,
    description: description.about ?? description.description,
    ...(websiteUrl === undefined ? {} : { url: websiteUrl }),
    ...(auth === undefined ? {} : { auth: { ...auth } }),
    ...(tags === undefined ? {} : { tags }),
    ...(operator === undefined ? {} : { operator }),
    ...(webhooks === undefined ? {} : { webhooks }),
    ...(tools === undefined ? {} : { tools }),
    ...(catalogs === undefined ? {} : { catalogs }),
    ...(listed === false ? { catalog: "no-index" } : {}),
  };
  refuseFaults(judgeDescriptor(descriptor as JsonObject, options), "the descriptor");
  return descriptor;
}

function endpointOf({ remotes }: RelayDescription): string {
  const [first] = remotes;
  const filled =
    first === undefined
      ? null
      : fillRemote({
          type: first.type,
          url: first.url,
          ...(first.variables === undefined ? {} : { variables: first.variables }),
        });
  if (filled?.ok) return filled.url;
  const why =
    filled === null
      ? "a descriptor names an endpoint, and the description has no remote"
      : `a descriptor names one endpoint, and the first remote wants: ${filled.problems.map(({ name }) => name).join(", ")}`;
  throw new OpenMcpError("invalid-input", `the descriptor can't be made: ${why}.`, {
    data: { field: "/remotes/0/url" },
  });
}
