/** All that a card's schema lets pass and that is wrong: for publishers to mend, and for readers to distrust. `card` is well shaped. */
import type { JsonValue } from "../json.ts";
import { looksLikeCredential } from "./credentials.ts";
import { type Findings, quoted, under } from "./findings.ts";
import { isSendableHeader } from "./header-name.ts";
import { isLocal, urlFaults } from "./lint-url.ts";
import type { Input, KeyValueInput, Remote } from "./server-card.ts";
import { literalOf, placeholdersOf, templateParts, VARIABLE_NAME } from "./template.ts";
import { isSingleVersion } from "./version-text.ts";

/** What both a card and a server.json say of a server, as far as it is there. */
export interface Identity {
  readonly name?: string;
  readonly version?: string;
  readonly websiteUrl?: string;
  readonly repository?: { readonly url?: string };
  readonly icons?: readonly { readonly src?: string }[];
  readonly remotes?: readonly Remote[];
}

export interface LintContext {
  readonly findings: Findings;
  /** The URL that answered; on a private network, addresses of it are no fault. */
  readonly url?: string | undefined;
  /** Before every pointer. */
  readonly pointer?: string;
}

export function lintIdentity(identity: Identity, context: LintContext): void {
  const { findings, url, pointer = "" } = context;
  const options = { local: isLocal(url) };
  const { name, version } = identity;
  if (name?.split("/").some((part) => part !== "" && part.replaceAll(".", "") === "")) {
    findings.add("name-traversal", `${pointer}/name`, `${quoted(name)} has a part of dots alone`);
  }
  if (version !== undefined && !isSingleVersion(version)) {
    findings.add(
      "version-range",
      `${pointer}/version`,
      version.trim() === "" ? "the version is empty" : `${quoted(version)} is a range or a word that moves`,
    );
  }
  const links = [
    ["/websiteUrl", identity.websiteUrl],
    ["/repository/url", identity.repository?.url],
    ...(identity.icons ?? []).map(({ src }, index) => [`/icons/${index}/src`, src] as const),
  ] as const;
  for (const [place, link] of links) {
    if (link === undefined) continue;
    // A site or a source on plain http is its own affair; what is called is not.
    for (const fault of urlFaults(link, options)) {
      if (fault.code !== "unencrypted-url") findings.add(fault.code, pointer + place, fault.message);
    }
  }
  for (const [index, remote] of (identity.remotes ?? []).entries()) {
    lintRemote(remote, { findings, pointer: under(`${pointer}/remotes`, index), local: options.local });
  }
}

/** Members that older cards had and v1 leaves to the running server. */
const runtimeMembers = [
  "tools",
  "resources",
  "prompts",
  "capabilities",
  "authentication",
  "auth",
  "serverInfo",
  "protocolVersion",
  "transport",
  "requires",
];

export function lintRuntimeMembers(card: JsonValue, { findings, pointer = "" }: LintContext): void {
  for (const name of runtimeMembers) {
    if (Object.hasOwn(card as object, name)) {
      findings.add("runtime-member", under(pointer, name), `${quoted(name)} is no member of a card`);
    }
  }
}

interface RemoteContext {
  readonly findings: Findings;
  readonly pointer: string;
  readonly local: boolean;
}

function lintRemote(remote: Remote, context: RemoteContext): void {
  const { findings, pointer, local } = context;
  for (const fault of urlFaults(remote.url, { local }))
    findings.add(fault.code, `${pointer}/url`, fault.message);
  if (choosesHost(remote.url)) {
    findings.add("host-from-input", `${pointer}/url`, "a placeholder stands where the host is decided");
  }
  lintPlaceholders(remote.url, { ...context, pointer: `${pointer}/url`, known: [remote.variables] });
  lintVariables(remote.variables, context);
  const seen = new Set<string>();
  const used = new Set(placeholdersOf(remote.url));
  for (const [index, header] of (remote.headers ?? []).entries()) {
    const place = { ...context, pointer: `${pointer}/headers/${index}` };
    lintHeader(header, { ...place, seen });
    for (const name of placeholdersOf(header.value ?? "")) used.add(name);
    lintPlaceholders(header.value ?? "", {
      ...place,
      pointer: `${place.pointer}/value`,
      known: [header.variables, remote.variables],
    });
    lintVariables(header.variables, place);
    lintUnused(header.variables, { ...place, used: new Set(placeholdersOf(header.value ?? "")) });
  }
  lintUnused(remote.variables, { ...context, used });
}

/** True when the host, or a part of it that decides whose it is, is a placeholder's. */
function choosesHost(template: string): boolean {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(template)?.[1];
  if (authority === undefined) return template.startsWith("{");
  const parts = templateParts(authority.replace(/:(?:\d*|\{[^{}]*\})$/, ""));
  const last = parts.at(-1);
  if (last === undefined || parts.every((part) => "literal" in part)) return false;
  // `https://eu.{domain}` calls whoever is named, `https://{tenant}.example.com` does not.
  return "placeholder" in last || last.literal.split(".").filter((label) => label !== "").length < 2;
}

function lintPlaceholders(
  template: string,
  {
    findings,
    pointer,
    known,
  }: RemoteContext & { readonly known: readonly (Readonly<Record<string, Input>> | undefined)[] },
): void {
  for (const name of placeholdersOf(template)) {
    if (!VARIABLE_NAME.test(name)) {
      findings.add("variable-name", pointer, `{${quoted(name).slice(1, -1)}} can't be substituted`);
    } else if (!known.some((variables) => variables !== undefined && Object.hasOwn(variables, name))) {
      findings.add("undeclared-variable", pointer, `{${name}} is not among the variables`);
    }
  }
}

function lintVariables(variables: Readonly<Record<string, Input>> | undefined, context: RemoteContext): void {
  for (const [name, input] of Object.entries(variables ?? {})) {
    const pointer = under(`${context.pointer}/variables`, name);
    if (!VARIABLE_NAME.test(name)) {
      context.findings.add("variable-name", pointer, `the name ${quoted(name)} can't be substituted`);
    }
    lintInput(input, { ...context, pointer, name });
  }
}

function lintUnused(
  variables: Readonly<Record<string, Input>> | undefined,
  { findings, pointer, used }: RemoteContext & { readonly used: ReadonlySet<string> },
): void {
  for (const name of Object.keys(variables ?? {})) {
    if (VARIABLE_NAME.test(name) && !used.has(name)) {
      findings.add(
        "unused-variable",
        under(`${pointer}/variables`, name),
        `${quoted(name)} is used in no template`,
      );
    }
  }
}

function lintHeader(header: KeyValueInput, context: RemoteContext & { readonly seen: Set<string> }): void {
  const { findings, pointer, seen } = context;
  const name = header.name.toLowerCase();
  if (!isSendableHeader(header.name)) {
    findings.add(
      "header-name",
      `${pointer}/name`,
      `${quoted(header.name)} is no header that a client may set`,
    );
  }
  if (seen.has(name))
    findings.add("duplicate-header", `${pointer}/name`, `${quoted(header.name)} is named twice`);
  seen.add(name);
  lintInput(header, { ...context, name: header.name });
}

function lintInput(
  input: Input,
  { findings, pointer, name }: RemoteContext & { readonly name: string },
): void {
  for (const member of ["value", "default"] as const) {
    const text = input[member];
    if (text === undefined || text === "") continue;
    const place = `${pointer}/${member}`;
    // `Bearer {token}` has no secret in it.
    const isTemplate = member === "value" && placeholdersOf(text).length > 0;
    if (input.isSecret === true && !isTemplate) {
      findings.add("secret-literal", place, `the secret ${quoted(name)} has its ${member} in the document`);
    } else if (looksLikeCredential(isTemplate ? literalOf(text) : text, name)) {
      findings.add("token-literal", place, `the ${member} of ${quoted(name)} looks like a credential`);
    }
    if (!isTemplate && input.choices !== undefined && !input.choices.includes(text)) {
      findings.add("value-not-a-choice", place, `the ${member} of ${quoted(name)} is none of its choices`);
    }
  }
  for (const member of ["placeholder", "description"] as const) {
    const text = input[member];
    if (text?.split(/\s/).some((word) => looksLikeCredential(word))) {
      findings.add(
        "token-literal",
        `${pointer}/${member}`,
        `the ${member} of ${quoted(name)} looks like a credential`,
      );
    }
  }
  for (const [index, choice] of (input.choices ?? []).entries()) {
    if (looksLikeCredential(choice)) {
      findings.add(
        "token-literal",
        `${pointer}/choices/${index}`,
        `a choice of ${quoted(name)} looks like a credential`,
      );
    }
  }
}
