/**
 * A probe from this machine: catalog's own look over net's own exchange. A person at a terminal may ask their own
 * loopback; other private networks only when they are named.
 */
import { type Probe, probeUrl } from "../catalog/index.ts";
import { createExchange } from "../net/index.ts";
import { OpenMcpError, type ProbeStep } from "../spec/index.ts";
import { PROBE_TIMEOUT_MS } from "./limits.ts";
import { version } from "./version.ts";

export interface LookAroundOptions {
  readonly signal: AbortSignal;
  /** CIDR ranges. */
  readonly allowNetworks: readonly string[];
  readonly timeoutMs?: number | undefined;
  readonly onStep?: (step: ProbeStep) => void;
}

/** @throws OpenMcpError `invalid-input`, `aborted`, `timeout`. */
export async function lookAround(url: string, options: LookAroundOptions): Promise<Probe> {
  const timeoutMs = options.timeoutMs ?? PROBE_TIMEOUT_MS;
  const timer = AbortSignal.timeout(timeoutMs);
  const policy = { allowLoopback: true, allowNetworks: options.allowNetworks };
  await using net = createExchange(policy, { userAgent: `openmcp/${version} (probe)` });
  try {
    return await probeUrl(url, {
      exchange: net.exchange,
      signal: AbortSignal.any([options.signal, timer]),
      now: Date.now,
      ...(options.onStep === undefined ? {} : { onStep: options.onStep }),
    });
  } catch (error) {
    if (!timer.aborted || options.signal.aborted) throw error;
    throw new OpenMcpError("timeout", `The probe was not done within ${timeoutMs / 1000} s.`, {
      data: { timeoutMs },
      cause: error,
    });
  }
}
