/**
 * What `openmcp serve` is told, by flags and by environment, made into one checked object. A flag wins over the
 * environment, the environment over the default; an empty value counts as unset. Every refusal names the flag (or the
 * variable that was used), quotes what was given and says what would do. Opens nothing; the one file it reads is that of `--limits`.
 */
import { isIP } from "node:net";
import { resolve } from "node:path";
import { DEFAULT_CONFIRM_OFFLINE, parsePeerUrl } from "../catalog/index.ts";
import type { TrustedProxies } from "../http/index.ts";
import { type BudgetRules, OpenMcpError, trimEndOf } from "../spec/index.ts";
import { readBudgetLimits } from "./budget-limits.ts";
import { formatDuration, parseDuration } from "./duration.ts";
import {
  MAX_CONFIRM_OFFLINE,
  MAX_PEER_SYNC_MS,
  MAX_REFRESH_MS,
  MIN_PEER_SYNC_MS,
  MIN_REFRESH_MS,
} from "./limits.ts";
import { isLoopbackHost } from "./loopback.ts";
import { parseSecretsKeys } from "./secrets-keys.ts";
import { parseTrustProxy } from "./trust-proxy.ts";

/** As the command line gives them: texts, or absent. */
export interface ServeFlags {
  readonly host?: string | undefined;
  readonly port?: string | number | undefined;
  readonly db?: string | undefined;
  readonly url?: string | undefined;
  readonly name?: string | undefined;
  readonly operator?: string | undefined;
  readonly adminToken?: string | undefined;
  /** One CIDR range, several with commas, or a list of such texts. */
  readonly allowNetwork?: string | readonly string[] | undefined;
  readonly refresh?: string | undefined;
  readonly confirmOffline?: string | number | undefined;
  /** A catalog to learn relays from, several with commas, or a list of such texts. */
  readonly peer?: string | readonly string[] | undefined;
  readonly peerSync?: string | undefined;
  readonly registry?: string | undefined;
  /** One key, or several with commas. */
  readonly secretsKey?: string | undefined;
  /** A JSON file, the JSON itself, `default` or `off`. */
  readonly limits?: string | undefined;
  /** How many proxies, or where they are. */
  readonly trustProxy?: string | number | undefined;
  readonly logLevel?: string | undefined;
}

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

export type LogLevel = (typeof logLevels)[number];

export interface ServeOptions {
  /** Address or name to bind to. */
  readonly host: string;
  /** 0: one the system picks. */
  readonly port: number;
  /** Absolute path of the SQLite file, or `:memory:`. */
  readonly db: string;
  /** Public base URL without a trailing slash; null: derived from host and port, on loopback only. */
  readonly url: string | null;
  readonly name: string;
  readonly operator: string | null;
  readonly adminToken: string | null;
  /** CIDR ranges that probes and calls may enter although the network policy refuses them. */
  readonly allowNetworks: readonly string[];
  /** Milliseconds between two looks at a relay that answers; null: off. */
  readonly refreshMs: number | null;
  /** Looks that have to fail in a row before a relay is called offline. */
  readonly confirmOffline: number;
  /** Catalogs that become peers at the start, by their base URLs. */
  readonly peers: readonly string[];
  /** Milliseconds between two syncs with a peer; null: off. */
  readonly peerSyncMs: number | null;
  /** Base URL of the registry that imports read; null: the official one. */
  readonly registry: string | null;
  /** Keys that seal subscribers' secrets, the newest first; none: secrets are kept as they are. */
  readonly secretsKeys: readonly Uint8Array[];
  /** What each client may ask for; null: nothing is limited. */
  readonly budgets: BudgetRules | null;
  /** Proxies whose word on the client is taken; null: the connection's address counts. */
  readonly trustProxy: TrustedProxies | null;
  readonly logLevel: LogLevel;
}

export const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_PORT = 8790;
export const DEFAULT_DB = "openmcp.db";
export const DEFAULT_NAME = "OpenMCP catalog";
export const DEFAULT_REFRESH = "10m";
export const DEFAULT_PEER_SYNC = "15m";
export const DEFAULT_LIMITS = "default";

/** Which variable stands for which flag. */
export const serveVariables = {
  host: "OPENMCP_HOST",
  port: "OPENMCP_PORT",
  db: "OPENMCP_DB",
  url: "OPENMCP_URL",
  name: "OPENMCP_NAME",
  operator: "OPENMCP_OPERATOR",
  adminToken: "OPENMCP_ADMIN_TOKEN",
  allowNetwork: "OPENMCP_ALLOW_NETWORK",
  refresh: "OPENMCP_REFRESH",
  confirmOffline: "OPENMCP_CONFIRM_OFFLINE",
  peer: "OPENMCP_PEERS",
  peerSync: "OPENMCP_PEER_SYNC",
  registry: "OPENMCP_REGISTRY",
  secretsKey: "OPENMCP_SECRETS_KEY",
  limits: "OPENMCP_LIMITS",
  trustProxy: "OPENMCP_TRUST_PROXY",
  logLevel: "OPENMCP_LOG_LEVEL",
} as const satisfies Record<keyof ServeFlags, string>;

/**
 * Reads flags and environment.
 * @throws OpenMcpError `invalid-input`; `data.field` is the flag or variable.
 */
export function parseServeOptions(
  flags: ServeFlags,
  env: Readonly<Record<string, string | undefined>> = {},
): ServeOptions {
  const given = (key: keyof ServeFlags): Given | null => {
    const flag = flags[key];
    if (flag !== undefined) {
      const text = typeof flag === "object" ? flag.join(",") : String(flag);
      return {
        from: `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        text: text.trim(),
      };
    }
    const text = env[serveVariables[key]]?.trim();
    return text === undefined || text === "" ? null : { from: serveVariables[key], text };
  };

  const host = readHost(given("host"));
  const url = readUrl(given("url"));
  if (url === null && !isLoopbackHost(host)) {
    throw refuse(
      given("host") as Given,
      "is not a loopback address, so the catalog can't know its own public address: " +
        "say it with --url, such as --url https://catalog.example",
    );
  }
  return {
    host,
    url,
    port: readPort(given("port")),
    db: readDb(given("db")),
    name: given("name")?.text ?? DEFAULT_NAME,
    operator: readOperator(given("operator")),
    adminToken: readAdminToken(given("adminToken")),
    allowNetworks: readNetworks(given("allowNetwork")),
    refreshMs: readPeriod(given("refresh") ?? { from: "--refresh", text: DEFAULT_REFRESH }, {
      min: MIN_REFRESH_MS,
      max: MAX_REFRESH_MS,
    }),
    confirmOffline: readConfirmOffline(given("confirmOffline")),
    peers: readPeers(given("peer")),
    peerSyncMs: readPeriod(given("peerSync") ?? { from: "--peer-sync", text: DEFAULT_PEER_SYNC }, {
      min: MIN_PEER_SYNC_MS,
      max: MAX_PEER_SYNC_MS,
    }),
    registry: readRegistry(given("registry")),
    secretsKeys: readSecretsKeys(given("secretsKey")),
    budgets: readBudgets(given("limits") ?? { from: "--limits", text: DEFAULT_LIMITS }),
    trustProxy: readTrustProxy(given("trustProxy")),
    logLevel: readLogLevel(given("logLevel")),
  };
}

interface Given {
  /** `--port` or `OPENMCP_PORT`. */
  readonly from: string;
  readonly text: string;
}

function refuse(given: Given, why: string, shown: string = JSON.stringify(given.text)): OpenMcpError {
  return new OpenMcpError("invalid-input", `${given.from} ${shown} ${why}`, { data: { field: given.from } });
}

function readHost(given: Given | null): string {
  if (given === null) return DEFAULT_HOST;
  const host = given.text.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host)) return host;
  throw refuse(given, "is not an address or host name: give one such as 127.0.0.1, without scheme and port");
}

function readPort(given: Given | null): number {
  if (given === null) return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(given.text) ? Number(given.text) : Number.NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw refuse(given, "is not a port: give a number from 0 (any free port) to 65535");
}

function readDb(given: Given | null): string {
  if (given === null) return resolve(DEFAULT_DB);
  if (given.text === "") throw refuse(given, "is empty: give the path of the database file");
  return given.text === ":memory:" ? given.text : resolve(given.text);
}

function readUrl(given: Given | null): string | null {
  if (given === null) return null;
  const url = httpUrl(given.text);
  if (url === null)
    throw refuse(given, "is not an http or https URL: give one such as https://catalog.example");
  if (url.username !== "" || url.password !== "") {
    throw refuse(given, "holds a user name or password: a public address has none", "(not shown)");
  }
  if (url.search !== "" || url.hash !== "") {
    throw refuse(given, "has a query or fragment: give the base URL alone");
  }
  return trimEndOf(url.href, "/");
}

function readOperator(given: Given | null): string | null {
  if (given === null) return null;
  const url = httpUrl(given.text);
  if (url !== null) return url.href;
  throw refuse(
    given,
    "is not an http or https URL: give the operator's profile, such as https://you.example/.well-known/openprofile.md",
  );
}

function readAdminToken(given: Given | null): string | null {
  if (given === null) return null;
  // What `Authorization: Bearer` can carry (RFC 6750 section 2.1); anything else could never match.
  if (/^[A-Za-z0-9._~+/-]+=*$/.test(given.text)) return given.text;
  throw refuse(
    given,
    "has characters that a bearer token can't carry: use letters, digits and - . _ ~ + /",
    "(not shown)",
  );
}

function readSecretsKeys(given: Given | null): readonly Uint8Array[] {
  if (given === null) return [];
  const keys = parseSecretsKeys(given.text);
  if (keys !== null) return keys;
  throw refuse(
    given,
    "is not a key of 32 bytes in hex or base64, or several with commas: make one with `openssl rand -base64 32`",
    "(not shown)",
  );
}

function readNetworks(given: Given | null): readonly string[] {
  if (given === null) return [];
  const ranges = given.text
    .split(",")
    .map((range) => range.trim())
    .filter((range) => range !== "");
  for (const range of ranges) {
    const [address = "", bits = "", rest] = range.split("/");
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    if (family === 0 || rest !== undefined || !/^\d{1,3}$/.test(bits) || Number(bits) > most) {
      throw refuse(given, "is not a CIDR range: give one such as 10.20.0.0/16", JSON.stringify(range));
    }
  }
  return ranges;
}

function readPeriod(
  given: Given,
  { min, max }: { readonly min: number; readonly max: number },
): number | null {
  if (/^(off|no|never|0)$/i.test(given.text)) return null;
  const ms = parseDuration(given.text);
  if (ms === null) throw refuse(given, "is not a duration: give one such as 10m, 6s or 500ms, or off");
  if (ms < min || ms > max) {
    const days = Math.floor(max / 86_400_000);
    throw refuse(given, `is out of range: give ${formatDuration(min)} to ${days}d, or off`);
  }
  return ms;
}

function readPeers(given: Given | null): readonly string[] {
  if (given === null) return [];
  const urls = given.text
    .split(",")
    .map((url) => url.trim())
    .filter((url) => url !== "");
  return urls.map((text) => {
    const read = parsePeerUrl(text);
    // A user name and password may be what is wrong with it.
    const shown = text.includes("@") ? "(not shown)" : JSON.stringify(text);
    if (!read.ok) throw refuse(given, `is no catalog's URL: ${read.problem}`, shown);
    return read.url;
  });
}

function readRegistry(given: Given | null): string | null {
  if (given === null) return null;
  const url = httpUrl(given.text);
  if (url === null) {
    throw refuse(
      given,
      "is not an http or https URL: give a registry's base URL, such as https://registry.example",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw refuse(given, "holds a user name or password: imports send none", "(not shown)");
  }
  return trimEndOf(url.href, "/");
}

function readConfirmOffline(given: Given | null): number {
  if (given === null) return DEFAULT_CONFIRM_OFFLINE;
  const looks = /^\d{1,3}$/.test(given.text) ? Number(given.text) : 0;
  if (looks >= 1 && looks <= MAX_CONFIRM_OFFLINE) return looks;
  throw refuse(
    given,
    `is not a number of looks: give 1 (the first failing one decides) to ${MAX_CONFIRM_OFFLINE}`,
  );
}

function readBudgets(given: Given): BudgetRules | null {
  const read = readBudgetLimits(given.text);
  if (read.ok) return read.budgets;
  const shown = given.text.startsWith("{") ? "" : ` ${JSON.stringify(given.text)}`;
  throw new OpenMcpError(
    "invalid-input",
    `${given.from}${shown}${read.problem.startsWith(":") ? "" : " "}${read.problem}`,
    {
      data: { field: given.from },
    },
  );
}

function readTrustProxy(given: Given | null): TrustedProxies | null {
  if (given === null) return null;
  const read = parseTrustProxy(given.text);
  if (read.ok) return read.trust;
  throw refuse(given, read.problem);
}

function readLogLevel(given: Given | null): LogLevel {
  if (given === null) return "info";
  const level = logLevels.find((known) => known === given.text.toLowerCase());
  if (level !== undefined) return level;
  throw refuse(given, `is not a level: give one of ${logLevels.join(", ")}`);
}

function httpUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "http:" || url.protocol === "https:" ? url : null;
}
