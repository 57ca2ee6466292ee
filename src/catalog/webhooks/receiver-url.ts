/**
 * Which URLs may be subscribed (wire.md "Webhooks"): https, and http to loopback while the catalog itself is on loopback.
 * The address is the network policy's to judge, at each delivery: a name may point elsewhere by then.
 */

export type ReceiverUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: string };

/** `catalog`: the catalog's own URL. `problem` is a sentence that names the cure. */
export function parseReceiverUrl(given: string, catalog: string): ReceiverUrl {
  if (!URL.canParse(given)) {
    return { ok: false, problem: "it is not a URL: give one such as https://you.example/openmcp" };
  }
  const url = new URL(given);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { ok: false, problem: "it is not an https URL" };
  }
  if (url.username !== "" || url.password !== "") {
    return { ok: false, problem: "it holds a user name or password: deliveries are signed instead" };
  }
  if (url.protocol === "http:" && !(isLoopback(url) && isLoopback(new URL(catalog)))) {
    return { ok: false, problem: "it is not https: records would travel in the open" };
  }
  url.hash = "";
  return { ok: true, url: url.href };
}

/** The parser has written every spelling of an address in one form. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
