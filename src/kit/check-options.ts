/** Options that can't be meant are refused when they are given, by name: what is silently never matched is found out by nobody. */
import { OpenMcpError } from "../spec/index.ts";
import type { ServeOptions } from "./options.ts";

/** @throws OpenMcpError `invalid-input`; `data.field` names the option. */
export function checkOptions(options: ServeOptions<never, never>): void {
  for (const host of options.allowedHosts ?? []) {
    if (!isHost(host))
      throw wrong("allowedHosts", "are host names, such as weather.example: no scheme, no port, no pattern");
  }
  for (const origin of options.allowedOrigins ?? []) {
    if (!isOrigin(origin))
      throw wrong("allowedOrigins", "are origins, such as https://app.example: scheme and host, no pattern");
  }
  const sessions = options.sessions === false ? {} : (options.sessions ?? {});
  if (sessions.store !== undefined && options.bus === undefined) {
    throw new OpenMcpError(
      "invalid-input",
      "a store of sessions that instances share needs the bus by which they tell each other: give the option bus too",
      { data: { field: "bus" } },
    );
  }
  const { ttlMs, max, maxShared, maxOfUser } = sessions;
  const least = { ttlMs, max, maxShared, maxOfUser };
  for (const [name, value] of Object.entries(least)) {
    if (value !== undefined && !(value > 0)) throw wrong(`sessions.${name}`, "has to be more than 0");
  }
  const { maxBodyBytes, drainMs, keepAliveMs } = options;
  if (maxBodyBytes !== undefined && !(maxBodyBytes > 0)) throw wrong("maxBodyBytes", "has to be more than 0");
  for (const [name, value] of Object.entries({ drainMs, keepAliveMs })) {
    if (value !== undefined && !(value >= 0)) throw wrong(name, "has to be 0 or more");
  }
}

function isHost(host: string): boolean {
  const url = `http://${host}/`;
  if (/[\s/\\?#@*]/.test(host) || !URL.canParse(url)) return false;
  return !/:\d*$/.test(host.replace(/^\[[^\]]*\]/, ""));
}

function isOrigin(origin: string): boolean {
  if (origin.includes("*") || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.host !== "" && url.username === "" && url.password === "";
}

function wrong(field: string, what: string): OpenMcpError {
  return new OpenMcpError("invalid-input", `${field} ${what}`, { data: { field } });
}
