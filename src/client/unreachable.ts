/** From a failed connection to `catalog-unreachable` and a reason that a person can act on. Pure. */
import { OpenMcpError } from "../spec/index.ts";
import { causes } from "./causes.ts";

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection broken off",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the name can't be looked up now",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ETIMEDOUT: "no connection in time",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_SOCKET: "connection broken off",
  EPROTO: "it doesn't speak TLS there",
  ERR_SSL_WRONG_VERSION_NUMBER: "it doesn't speak TLS there",
};

/** The error for a catalog at `base` that could not be asked. */
export function catalogUnreachable(base: string, cause: unknown): OpenMcpError {
  const reason = connectionReason(cause);
  return new OpenMcpError(
    "catalog-unreachable",
    `No catalog answers at ${base}${reason === null ? "" : ` (${reason})`}. Start one with \`openmcp serve\`, or name another.`,
    { data: { catalog: base, reason }, cause },
  );
}

/** A few words from the first error in the chain of causes that has a known code; null when none has. */
export function connectionReason(error: unknown): string | null {
  for (const at of causes(error)) {
    // The ports that the Fetch standard blocks ("Port blocking") have no code.
    if (at.message === "bad port") return "fetch refuses this port";
    const code = (at as { code?: unknown }).code;
    if (typeof code === "string") {
      if (REASONS[code] !== undefined) return REASONS[code];
      if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return "its certificate doesn't verify";
    }
    if (at instanceof AggregateError && at.errors.length > 0) {
      const inner = connectionReason(at.errors[0]);
      if (inner !== null) return inner;
    }
  }
  return null;
}
