/**
 * Opens one socket, plain or TLS, to an address that was judged here and nowhere before. Literal addresses are judged
 * as they are; names go through the guarded look-up, and Node connects to the addresses that it
 * answered, next one after a failure or `connectAttemptMs`. No time limit of its own: whoever waits destroys the socket.
 */
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { buildConnector } from "undici";
import { blocked, type Judge } from "./judge.ts";
import { connectAttemptMs, maxTlsSessions } from "./limits.ts";
import type { LookupAddresses } from "./network-policy.ts";

/** Undici's connector, that also returns the socket while it is still connecting; undefined when nothing was opened. */
export type Dial = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket | undefined;

/** A connector bound to one judge. The error it calls back with is the system's, or `OpenMcpError` `blocked`. */
export function createDial(judge: Judge, addresses: LookupAddresses): Dial {
  const lookup = asNodeLookup(addresses);
  const sessions = createSessionCache();

  return ({ hostname, protocol, port }, callback) => {
    const literal = isIP(hostname) !== 0;
    if (literal) {
      const verdict = judge.address(hostname);
      if (!verdict.permitted) {
        callback(blocked(verdict), null);
        return undefined;
      }
    }
    const secure = protocol === "https:";
    const where = {
      host: hostname,
      port: Number(port) || (secure ? 443 : 80),
      lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: connectAttemptMs,
      noDelay: true,
      highWaterMark: 64 * 1024,
    };
    let socket: Socket;
    if (secure) {
      const key = `${hostname}:${where.port}`;
      const session = sessions.get(key);
      socket = connectTls({
        ...where,
        // RFC 6066, section 3: a name without its root dot, and none for a literal address; the certificate is
        // then held against the address.
        servername: literal ? "" : hostname.replace(/\.$/, ""),
        ALPNProtocols: ["http/1.1"],
        ...(session === undefined ? {} : { session }),
      }).on("session", (fresh: Buffer) => sessions.set(key, fresh));
    } else {
      socket = connectPlain(where);
    }
    let answered = false;
    return socket
      .once(secure ? "secureConnect" : "connect", () => {
        answered = true;
        callback(null, socket);
      })
      .on("error", (error) => {
        if (answered) return;
        answered = true;
        callback(error, null);
      });
  };
}

/** Node's callback form, in which `net.connect` asks for all addresses or (one family only) for one. */
function asNodeLookup(addresses: LookupAddresses): LookupFunction {
  return (hostname, options, callback) => {
    addresses(hostname).then(
      (found) => {
        const wanted = found.filter(
          ({ family }) => options.family === 0 || !options.family || family === options.family,
        );
        if (options.all) return callback(null, [...wanted]);
        const first = wanted[0] ?? found[0];
        return callback(null, first?.address ?? "", first?.family);
      },
      (error) => callback(error, ""),
    );
  };
}

/** The newest session of each server, oldest server dropped first. */
function createSessionCache() {
  const sessions = new Map<string, Buffer>();
  return {
    get: (key: string) => sessions.get(key),
    set(key: string, session: Buffer): void {
      sessions.delete(key);
      if (sessions.size >= maxTlsSessions) {
        for (const oldest of sessions.keys()) {
          sessions.delete(oldest);
          break;
        }
      }
      sessions.set(key, session);
    },
  };
}
