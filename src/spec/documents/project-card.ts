/** A description as a Server Card and as server.json, and back: lossless for all that either can hold. */
import type { JsonObject } from "../json.ts";
import { createFindings } from "./findings.ts";
import { type PublishOptions, refuseFaults } from "./publishable.ts";
import { REGISTRY_SERVER_SCHEMA, type RegistryServer } from "./registry-server.ts";
import type { RelayDescription } from "./relay-description.ts";
import { SERVER_CARD_SCHEMA, type ServerCard } from "./server-card.ts";
import { judgeServerCard } from "./validate-server-card.ts";

/** @throws OpenMcpError `invalid-input`; `data.field` is the JSON Pointer into the card, the value is not repeated. */
export function toServerCard(description: RelayDescription, options: PublishOptions = {}): ServerCard {
  const card: ServerCard = {
    ...description.members,
    $schema: SERVER_CARD_SCHEMA,
    ...identityOf(description),
  };
  refuseUnlessClean(card, { ...options, what: "the Server Card" });
  return card;
}

/** @throws OpenMcpError `invalid-input`, as `toServerCard`. */
export function toRegistryServer(
  description: RelayDescription,
  options: PublishOptions = {},
): RegistryServer {
  const { packages } = description;
  const identity = identityOf(description);
  // The registry's rules for these members are the card's.
  refuseUnlessClean(
    { ...description.members, ...identity, $schema: SERVER_CARD_SCHEMA },
    { ...options, what: "server.json" },
  );
  return {
    ...description.members,
    $schema: REGISTRY_SERVER_SCHEMA,
    ...identity,
    ...(packages === undefined ? {} : { packages }),
  };
}

/** The inverse of `toServerCard`. What a card does not say (auth, tags, operator) is not in it. */
export function fromServerCard({ $schema: _schema, ...card }: ServerCard): RelayDescription {
  return describeIdentity(card);
}

/** The inverse of `toRegistryServer`. */
export function fromRegistryServer({
  $schema: _schema,
  packages,
  ...server
}: RegistryServer): RelayDescription {
  return { ...describeIdentity(server), ...(packages === undefined ? {} : { packages }) };
}

type Identity = Omit<ServerCard, "$schema">;

function identityOf(
  description: RelayDescription,
): Identity & { readonly name: string; readonly version: string; readonly description: string } {
  const { name, version, title, websiteUrl, repository, icons, remotes, meta } = description;
  return {
    name,
    version,
    description: description.description,
    ...(title === undefined ? {} : { title }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(repository === undefined ? {} : { repository }),
    ...(icons === undefined ? {} : { icons }),
    ...(remotes.length === 0 ? {} : { remotes }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

function describeIdentity(identity: Identity): RelayDescription {
  const { name, version, description, title, websiteUrl, repository, icons, remotes, _meta, ...members } =
    identity as ServerCard;
  return {
    name,
    version,
    description,
    ...(title === undefined ? {} : { title }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(repository === undefined ? {} : { repository }),
    ...(icons === undefined ? {} : { icons }),
    remotes: remotes ?? [],
    ...(_meta === undefined ? {} : { meta: _meta }),
    ...(Object.keys(members).length === 0 ? {} : { members }),
  };
}

function refuseUnlessClean(
  card: ServerCard,
  { url, what }: PublishOptions & { readonly what: string },
): void {
  const findings = createFindings();
  judgeServerCard(card as unknown as JsonObject, { findings, url });
  refuseFaults(findings.list, what);
}
