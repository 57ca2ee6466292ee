/** What is wrong with a URL that everybody is shown, beyond its form. A template's placeholders stand for something harmless. */

import { looksLikeCredential, namesCredential } from "./credentials.ts";
import type { DiagnosticCode } from "./diagnostic.ts";
import { isPrivateHost } from "./host.ts";
import { literalOf } from "./template.ts";

export interface UrlFault {
  readonly code: Extract<
    DiagnosticCode,
    "credential-in-url" | "private-address" | "unencrypted-url" | "unreadable-url"
  >;
  readonly message: string;
}

/** `local`: the document itself is on a private network, so that its addresses may be. */
export function urlFaults(
  template: string,
  { local = false }: { readonly local?: boolean } = {},
): readonly UrlFault[] {
  const url = literalOf(template.replace(PORT_PLACEHOLDER, ":8080"), STAND_IN);
  if (!URL.canParse(url)) {
    return /^https?:/i.test(url) && !/\s/.test(url)
      ? [{ code: "unreadable-url", message: "no URL can be read from it" }]
      : [];
  }
  const { protocol, username, password, hostname, searchParams, pathname } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return [];
  const faults: UrlFault[] = [];
  const named = [...searchParams].find(
    ([name, value]) =>
      value !== "" &&
      !value.includes(STAND_IN) &&
      (looksLikeCredential(value, name) ||
        (namesCredential(name) && value.length >= 8 && looksLikeCredential(`token ${value}`))),
  );
  if (username !== "" || password !== "") {
    faults.push({ code: "credential-in-url", message: "the URL carries a name or password before its host" });
  } else if (named !== undefined) {
    faults.push({
      code: "credential-in-url",
      message: `the query parameter "${named[0]}" carries what looks like a credential`,
    });
  } else if (
    pathname.split("/").some((segment) => !segment.includes(STAND_IN) && looksLikeCredential(segment))
  ) {
    faults.push({ code: "credential-in-url", message: "the path carries what looks like a credential" });
  }
  if (local) return faults;
  if (isPrivateHost(hostname)) {
    faults.push({ code: "private-address", message: `"${hostname}" is not on the public internet` });
  } else if (protocol === "http:") {
    faults.push({ code: "unencrypted-url", message: "the URL is http" });
  }
  return faults;
}

/** `https://localhost:{port}/mcp`: the one part of a URL where the stand-in can't stand. */
const PORT_PLACEHOLDER = /:\{[^{}]*\}(?=[/?#]|$)/;

const STAND_IN = "placeholder-0";

/** True when a document read at `url` is on this machine or a private network. */
export function isLocal(url: string | undefined): boolean {
  return url !== undefined && URL.canParse(url) && isPrivateHost(new URL(url).hostname);
}
