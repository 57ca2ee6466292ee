/** The URL by which the outside knows the relay: checked when it is given, because every document repeats it. */
import { isLoopback } from "../http/index.ts";
import { OpenMcpError, trimEndOf } from "../spec/index.ts";

export interface PublicUrl {
  readonly publicUrl: string | undefined;
  /** Without a slash at its end; null where the relay is on this machine only. */
  readonly base: string | null;
}

/** @throws OpenMcpError `invalid-input`; the URL is not told, for it may hold a credential. */
export function readPublicUrl(given: string | undefined): PublicUrl {
  if (given === undefined) return { publicUrl: undefined, base: null };
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw wrong("has to be an http or https URL");
  if (url.username !== "" || url.password !== "")
    throw wrong("holds a credential: every document would show it");
  if (url.search !== "" || url.hash !== "") throw wrong("is the URL of the mount, without ? and #");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw wrong("has to be https for all but this machine");
  return { publicUrl: url.href, base: trimEndOf(url.href, "/") };
}

function wrong(what: string): OpenMcpError {
  return new OpenMcpError("invalid-input", `publicUrl ${what}`, { data: { field: "publicUrl" } });
}
