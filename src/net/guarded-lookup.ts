/**
 * Names to addresses, judged before anyone sees them. The connector connects to exactly what this answers and asks
 * nobody again, so a name that changes its answer between check and use (DNS rebinding) gains nothing.
 *
 * One forbidden address refuses the whole name. Taking the permitted rest would let a name's owner use us to
 * find out which private addresses we treat how, and a public name with a private address beside is either that or
 * a mistake its owner should see. What the forbidden address is stays out of the message: a stranger who
 * registers a URL must not learn what an internal name resolves to.
 */
import { lookup as systemLookup } from "node:dns/promises";
import { OpenMcpError } from "../spec/index.ts";
import { blocked, isLocalhost, type Judge } from "./judge.ts";
import type { LookupAddresses, ResolvedAddress } from "./network-policy.ts";

/** RFC 6761, section 6.3: `localhost` names are loopback by definition, so no resolver is asked. */
const loopback: readonly ResolvedAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * A look-up that rejects with `blocked` when any address is forbidden. Questions for one name that
 * are asked at the same time share one answer: the system's resolver works on very few at once.
 */
export function createGuardedLookup(
  judge: Judge,
  lookup: LookupAddresses = systemAddresses,
): LookupAddresses {
  const asking = new Map<string, Promise<readonly ResolvedAddress[]>>();

  async function ask(hostname: string): Promise<readonly ResolvedAddress[]> {
    const addresses = await lookup(hostname);
    if (addresses.length === 0) throw noAddress(hostname);
    for (const { address } of addresses) {
      const verdict = judge.address(address);
      if (verdict.permitted) continue;
      const reason =
        verdict.kind === null ? verdict.reason : `${hostname} resolves to a ${verdict.kind} address`;
      throw blocked({ ...verdict, reason });
    }
    return addresses;
  }

  return async (hostname) => {
    if (isLocalhost(hostname)) return ownAddresses(hostname, judge);
    let answer = asking.get(hostname);
    if (answer === undefined) {
      answer = ask(hostname).finally(() => asking.delete(hostname));
      asking.set(hostname, answer);
    }
    return answer;
  };
}

/** Of the two loopback addresses those that are open: an operator may have opened one family only. */
function ownAddresses(hostname: string, judge: Judge): readonly ResolvedAddress[] {
  const open = loopback.filter(({ address }) => judge.address(address).permitted);
  const verdict = judge.url(`http://${hostname}/`);
  if (open.length === 0 && !verdict.permitted) throw blocked(verdict);
  return open;
}

async function systemAddresses(hostname: string): Promise<readonly ResolvedAddress[]> {
  return (await systemLookup(hostname, { all: true })) as ResolvedAddress[];
}

const noAddress = (hostname: string): OpenMcpError =>
  new OpenMcpError("unreachable", `${hostname} has no address`, { data: { reason: "name-not-found" } });
