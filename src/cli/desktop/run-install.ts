/** From what a person names to an entry for each application. */
import {
  type ApplicationId,
  applicationOf,
  bridgeLaunch,
  isPlainName,
  type Launch,
  launchCommand,
  type Machine,
  planInstall,
  type Scope,
} from "../../desktop/index.ts";
import { OpenMcpError } from "../../spec/index.ts";
import { DEFAULT_CATALOG } from "../default-catalog.ts";
import type { Shell } from "../shell.ts";
import { carryOut } from "./carry-out.ts";
import { assertNoOtherUrl, endpointOf, isRelayId, isUrl, type NamedEndpoint } from "./endpoint-of.ts";
import { targetNames } from "./target-names.ts";
import { ownInstallation, thisMachine } from "./this-machine.ts";
import { type ClientChoice, chosenClients } from "./which-clients.ts";

export interface InstallOptions {
  readonly client: ClientChoice;
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly header?: Readonly<Record<string, string>>;
  readonly relayToken?: string;
  readonly scope: Scope;
  readonly dryRun?: true;
}

interface Wanted {
  /** The first, and what to take where another server has it. */
  readonly names: readonly string[];
  launchFor(client: ApplicationId): Promise<Launch>;
  readonly secrets: readonly string[];
  readonly remarks: readonly string[];
}

export async function runInstall(
  shell: Shell,
  options: InstallOptions & { readonly target: readonly string[] },
): Promise<number> {
  const machine = thisMachine(shell);
  const clients = await chosenClients(options.client, machine);
  const wanted = await wantedOf(shell, { options, machine });
  const several = clients.length > 1;
  const changes = clients
    // Of all applications only those that have such a file.
    .filter((client) => !several || applicationOf(client).scopes.includes(options.scope))
    .map((client) => ({
      client,
      plan: async () =>
        planInstall(
          { client, scope: options.scope, machine },
          {
            ...named(options.name, wanted.names),
            launch: await wanted.launchFor(client),
            secrets: wanted.secrets,
          },
        ),
    }));
  return carryOut(shell, { changes, dryRun: options.dryRun === true, remarks: wanted.remarks });
}

async function wantedOf(
  shell: Shell,
  {
    options,
    machine,
  }: { readonly options: InstallOptions & { readonly target: readonly string[] }; readonly machine: Machine },
): Promise<Wanted> {
  const { target, env = {}, header = {}, relayToken } = options;
  const secrets = [
    ...Object.entries(env).flatMap(([name, value]) => (isPlainName(name) ? [] : [value])),
    ...Object.values(header),
    ...(relayToken === undefined ? [] : [relayToken]),
  ];
  const [first] = target;
  if (first !== undefined) assertNoOtherUrl(first);
  const isCommand = first !== undefined && !(target.length === 1 && (isUrl(first) || isRelayId(target)));
  if (isCommand) {
    refuse(
      Object.keys(header).length > 0 || relayToken !== undefined,
      "A command takes no headers: give it variables with --env.",
    );
    const { launch, remarks } = await launchCommand(target, { env, machine });
    return {
      names: targetNames(target, { relay: null, catalog: "" }),
      launchFor: async () => launch,
      secrets,
      remarks,
    };
  }
  refuse(
    Object.keys(env).length > 0,
    "A URL takes no variables: give it headers with --header, or --relay-token.",
  );
  const endpoint = await endpointOf(shell, first);
  const { url, relay, auth } = endpoint;
  const headers = {
    ...(relayToken === undefined ? {} : { Authorization: `Bearer ${relayToken}` }),
    ...header,
  };
  const open = Object.keys(headers).length === 0 && auth !== null && auth !== "none" && auth !== "unknown";
  return {
    names: targetNames(target, { relay, catalog: shell.options.catalog }),
    secrets,
    remarks: open
      ? [`${relay} wants a credential (${auth}), and none was given: --relay-token or --header does.`]
      : [],
    async launchFor(client) {
      const { shape, inputs } = applicationOf(client);
      if (shape.http === null) return bridged(shell, { endpoint, first, options, machine });
      // It asks its user, so that there is something to ask for.
      const asked = open && inputs && auth === "bearer" ? { Authorization: "Bearer -" } : headers;
      return { kind: "http", url, headers: asked };
    },
  };
}

async function bridged(
  shell: Shell,
  {
    endpoint,
    first,
    options,
    machine,
  }: {
    readonly endpoint: NamedEndpoint;
    readonly first: string | undefined;
    readonly options: InstallOptions;
    readonly machine: Machine;
  },
): Promise<Launch> {
  const { catalog } = shell.options;
  return bridgeLaunch(
    {
      // By its URL a relay is reached without the catalog.
      target: first === undefined ? null : endpoint.url,
      catalog: first === undefined && catalog !== DEFAULT_CATALOG ? catalog : null,
      token: options.relayToken ?? null,
      headers: options.header ?? {},
    },
    { own: await ownInstallation(), machine },
  );
}

/** A name that a person gives is theirs to take. */
function named(
  given: string | undefined,
  [name = "server", ...otherwise]: readonly string[],
): { readonly name: string; readonly otherwise?: readonly string[] } {
  return given === undefined ? { name, otherwise } : { name: given };
}

function refuse(when: boolean, message: string): void {
  if (when) throw new OpenMcpError("invalid-input", message);
}
