/**
 * Does a text look like a credential that someone left in a public document? Known forms of well-known issuers, a header that carries
 * nothing else, and long texts without meaning. A guess in both directions; what is asked for as an example is left alone.
 */

/** Forms that issuers made recognisable, so that leaks are found. */
const ISSUED =
  /\b(?:sk-[A-Za-z0-9_-]{16,}|(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|whsec_[A-Za-z0-9+/=]{20,}|eyJ[A-Za-z0-9_-]{8,500}\.[A-Za-z0-9_-]{8})/;

/** Headers, query parameters and inputs whose value is a credential. */
const CREDENTIAL_NAME =
  /(?:^|[-_.])(?:authorization|auth|token|secret|password|passwd|pwd|credentials?|cookie|signature|sig|(?:api|access|private|auth|subscription|secret|client)[-_.]?(?:key|token|secret)|apikey|key)$/i;

const PLACEHOLDER =
  /your|example|placeholder|changeme|change-me|replace|insert|dummy|sample|<|>|\.\.\.|…|x{4,}|\*{3,}|\$\{/i;

const SCHEME = /^(?:bearer|basic|token|apikey|api-key|digest)\s+/i;

export function namesCredential(name: string): boolean {
  return name.length <= MAX_NAME_CHARS && CREDENTIAL_NAME.test(name);
}

/** `literal`: a value without its placeholders. `name`: of the header or parameter that it is the value of. */
export function looksLikeCredential(literal: string, name = ""): boolean {
  // Longer is no credential, or is one in its beginning too.
  const text = literal.slice(0, MAX_VALUE_CHARS);
  if (ISSUED.test(text)) return !PLACEHOLDER.test(text);
  const value = text.replace(SCHEME, "").trim();
  if (value === "" || PLACEHOLDER.test(value) || /\s/.test(value)) return false;
  if (text !== value && SCHEME.test(text)) return value.length >= 8;
  return namesCredential(name) ? value.length >= 8 && value !== name : isRandom(value);
}

/**
 * The JSON Pointer of the first text with a credential of a known issuer in it, also in the middle of a sentence; null where none is.
 * For what someone is about to publish: only forms that nothing else has, so that no title or tag is refused for its looks.
 */
export function issuedCredentialIn(value: unknown, pointer = ""): string | null {
  if (typeof value === "string") return holdsIssued(value) ? pointer : null;
  if (typeof value !== "object" || value === null || pointer.length > MAX_VALUE_CHARS) return null;
  for (const [key, member] of Object.entries(value)) {
    const place = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const found = holdsIssued(key) ? place : issuedCredentialIn(member, place);
    if (found !== null) return found;
  }
  return null;
}

function holdsIssued(text: string): boolean {
  if (!ISSUED.test(text)) return false;
  return text.split(/[\s"'(),;]+/).some((word) => ISSUED.test(word) && !PLACEHOLDER.test(word));
}

/** Long, of letters and digits in no order that a word has. */
function isRandom(value: string): boolean {
  if (value.length < 24 || !/^[A-Za-z0-9+/_=-]+$/.test(value)) return false;
  const digits = value.replace(/\D/g, "").length;
  const changes = value.match(/(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]|(?<=[a-z])[A-Z]/g)?.length ?? 0;
  // A version, a UUID-like id or a path has few of either.
  return digits >= 4 && changes >= value.length / 5 && !/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}/i.test(value);
}

const MAX_NAME_CHARS = 100;
const MAX_VALUE_CHARS = 4096;
