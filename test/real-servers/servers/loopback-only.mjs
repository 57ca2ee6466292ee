/** Preloaded into every server the tests start: a socket that names no host, or a wildcard, is bound to 127.0.0.1. */
import { Server } from "node:net";

const listen = Server.prototype.listen;
const open = new Set([undefined, null, "", "::", "0.0.0.0", "localhost"]);

Server.prototype.listen = function listenOnLoopback(...args) {
  const [first, second] = args;
  if (typeof first === "object" && first !== null && "port" in first) {
    if (open.has(first.host)) args[0] = { ...first, host: "127.0.0.1" };
  } else if (typeof first === "number" || /^\d+$/.test(String(first))) {
    if (typeof second === "string") args[1] = open.has(second) ? "127.0.0.1" : second;
    else args.splice(1, second === undefined && args.length > 1 ? 1 : 0, "127.0.0.1");
  }
  return listen.apply(this, args);
};
