/**
 * Whether an address out of somebody's own configuration may be told to a catalog, which lists it for everyone. Many services put the
 * key into the address: into its query, its user name, or its path. Pure.
 */

export type Shareable =
  /** `cut`: a query or a user name was left out. */
  | { readonly ok: true; readonly url: string; readonly cut: boolean }
  | { readonly ok: false; readonly why: "template" | "personal" | "not-http" };

export function shareableUrl(text: string): Shareable {
  const given = text.trim();
  if (/[{}<>]|%7b|%7d|\$[A-Z_]{2}/i.test(given)) return { ok: false, why: "template" };
  if (!URL.canParse(given)) return { ok: false, why: "not-http" };
  const url = new URL(given);
  if (url.protocol !== "http:" && url.protocol !== "https:") return { ok: false, why: "not-http" };
  if ([...url.hostname.split("."), ...url.pathname.split("/")].some(isSecret))
    return { ok: false, why: "personal" };
  const cut = url.search !== "" || url.username !== "" || url.password !== "";
  url.search = "";
  url.hash = "";
  url.username = "";
  url.password = "";
  return { ok: true, url: url.href, cut };
}

/** A piece of an address that looks drawn by lot: a UUID, a long hexadecimal or mixed text, a known token's beginning. */
function isSecret(piece: string): boolean {
  if (/^(?:sk|pk|pat|key|tok|token|secret|ghp|gho|xox[a-z])[-_].{8,}/i.test(piece)) return true;
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(piece)) return true;
  if (/^[0-9a-f]{16,}$/i.test(piece)) return true;
  // Words have few digits and no capitals in their middle: of a long run, either gives it away.
  return piece
    .split(/[-._:]/)
    .some(
      (run) =>
        (run.length >= 16 && /\d/.test(run) && /[a-z]/i.test(run)) ||
        (run.length >= 20 && /[a-z]/.test(run) && /[A-Z]/.test(run)),
    );
}
