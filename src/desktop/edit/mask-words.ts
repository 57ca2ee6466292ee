/**
 * Words of a command, URLs and sentences as they may be shown: what is likely a credential is hidden, by where it stands, by its
 * name or by its shape. Pure.
 */
import { isSecretName } from "../entry.ts";
import { MIN_SECRET_CHARS } from "../limits.ts";

export const MASK = "•••";

/** How the tokens of well-known services begin. */
const TOKEN = /\b(?:sk-|sk_|gh[opusr]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|hf_|npm_|eyJ)[\w.-]{12,512}/g;

/** `NAME=value`, as docker's `-e` and a shell's own have it. */
const ASSIGNMENT = /\b([A-Za-z_][A-Za-z0-9_]{0,63})=("[^"]*"|'[^']*'|[^\s"']+)/g;

const ADDRESS = /\b[a-z][a-z0-9+.-]{0,31}:\/\/[^\s"'<>]+/gi;

/** The value behind `--token`, of `--token=…`, of `API_KEY=…`, in a URL. */
export function maskWords(words: readonly string[]): readonly string[] {
  return words.map((word, index) => {
    const [, option, joined] = /^(--?[\w-]+=)(.*)$/s.exec(word) ?? [];
    if (option !== undefined && joined !== undefined && isSecretOption(option)) return `${option}${MASK}`;
    if (/^-H./.test(word)) return `-H${placeholder(word.slice(2))}`;
    const before = words[index - 1];
    if (before !== undefined && /^--?[A-Za-z][\w-]*$/.test(before) && isSecretOption(before))
      return placeholder(word);
    return maskSentence(word);
  });
}

/** A sentence that others wrote, or that quotes them. */
export function maskSentence(text: string): string {
  return text
    .replace(ADDRESS, maskUrl)
    .replace(ASSIGNMENT, (all, name: string) => (isSecretName(name) ? `${name}=${MASK}` : all))
    .replace(TOKEN, MASK);
}

/** Without whoever is named in it, and without what is asked. Whatever is no URL stays. */
export function maskUrl(word: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return word;
  const [, scheme = "", user, rest = "", query] =
    /^([^:]+:\/\/)(?:([^/?#]*)@)?([^?#]*)(?:[?#](.*))?$/s.exec(word) ?? [];
  if (user === undefined && (query === undefined || query === "")) return word;
  return `${scheme}${user === undefined ? "" : `${MASK}@`}${rest}${query === undefined ? "" : `?${MASK}`}`;
}

/** A reference to a variable is no secret, and a header's name is none. */
export function placeholder(value: string): string {
  if (/^(?:[A-Za-z0-9-]{1,64}:\s*)?(?:(?:Bearer|Basic|Token) )?\$\{[^}]+\}$/i.test(value)) return value;
  const header = /^([A-Za-z0-9-]{1,64}):/.exec(value);
  return header === null ? MASK : `${header[1]}: ${MASK}`;
}

/** These values, wherever they stand. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return [...secrets]
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .sort((one, other) => other.length - one.length)
    .reduce(
      (masked, secret) =>
        masked.replaceAll(secret, MASK).replaceAll(JSON.stringify(secret).slice(1, -1), MASK),
      text,
    );
}

/** Of a command's words those that `maskWords` hides, so that they can be looked for elsewhere. */
export function secretsIn(words: readonly string[]): readonly string[] {
  const shown = maskWords(words);
  return words.flatMap((word, index) => {
    const masked = shown[index] ?? word;
    if (masked === word) return [];
    if (URL.canParse(word)) {
      const { username, password, searchParams } = new URL(word);
      return [username, password, ...searchParams.values()].map(decoded);
    }
    const parts = [...word.matchAll(ASSIGNMENT)].map(([, , value = ""]) => value.replace(/^["']|["']$/g, ""));
    const behind = /[:=]\s*(?:Bearer |Basic )?(.+)$/is.exec(word)?.[1];
    return [word, ...parts, ...(behind === undefined ? [] : [behind])];
  });
}

function isSecretOption(option: string): boolean {
  return (
    isSecretName(option.replace(/^-+|=$/g, "").replaceAll("-", "_")) || /^(?:-H|-k|--?header)/.test(option)
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
