/**
 * A descriptor read for its author: all that is wrong with it, in diagnostics. Who only uses one takes `parseDescriptor` and
 * `describe`; the two agree on what is usable.
 */
import { authKinds, type Descriptor, parseDescriptor } from "../descriptor.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Diagnostic, Reading } from "./diagnostic.ts";
import { createFindings, type Findings, quoted } from "./findings.ts";
import { isLocal, urlFaults } from "./lint-url.ts";
import { openDocument } from "./open-document.ts";
import type { PublishOptions } from "./publishable.ts";
import { check, list, object, own, text } from "./shape.ts";

export interface ReadDescriptorContext {
  /** The URL that answered: what is relative resolves on it. */
  readonly url?: string;
}

/** What is relative resolves on this where the document's own URL is not known. */
const ANYWHERE = "https://relay.example/.well-known/openmcp.json";

export function readDescriptor(
  document: string | JsonValue,
  context: ReadDescriptorContext = {},
): Reading<Descriptor> {
  const { value, findings } = openDocument(document);
  if (value !== undefined && !isJsonObject(value))
    findings.add("wrong-type", "", "a descriptor is an object");
  if (isJsonObject(value)) judge(value, { findings, ...context });
  const reading = isJsonObject(value)
    ? parseDescriptor(JSON.stringify(value), context.url ?? ANYWHERE)
    : null;
  const usable = reading?.ok === true;
  return {
    conformant: findings.conformant,
    usable,
    value: usable ? reading.descriptor : null,
    diagnostics: findings.list,
  };
}

/** The diagnostics of one that was parsed. */
export function judgeDescriptor(descriptor: JsonObject, options: PublishOptions = {}): readonly Diagnostic[] {
  const findings = createFindings();
  judge(descriptor, { findings, ...options });
  return findings.list;
}

const shape = object(["mcp"], {
  openmcp: text(),
  mcp: text({ min: 1 }),
  name: text(),
  description: text(),
  url: text(),
  auth: object([], { kind: text({ choices: authKinds }), url: text(), open: list(text()) }),
  tags: list(text()),
  operator: text(),
  webhooks: text(),
  tools: list(text()),
  catalogs: list(text()),
});

function judge(
  descriptor: JsonObject,
  { findings, url }: { readonly findings: Findings; readonly url?: string },
): void {
  check(shape, descriptor, { pointer: "", findings });
  const auth = own(descriptor, "auth") ?? null;
  const catalogs = own(descriptor, "catalogs");
  const links: readonly (readonly [string, JsonValue | undefined])[] = [
    ["/mcp", own(descriptor, "mcp")],
    ["/url", own(descriptor, "url")],
    ["/auth/url", own(auth, "url")],
    ["/operator", own(descriptor, "operator")],
    ["/webhooks", own(descriptor, "webhooks")],
    ...(Array.isArray(catalogs)
      ? catalogs.map((link: JsonValue, index) => [`/catalogs/${index}`, link] as const)
      : []),
  ];
  for (const [pointer, link] of links) lintLink(link, { findings, pointer, url });
}

function lintLink(
  link: JsonValue | undefined,
  {
    findings,
    pointer,
    url,
  }: { readonly findings: Findings; readonly pointer: string; readonly url: string | undefined },
): void {
  if (typeof link !== "string" || link.trim() === "") return;
  if (!URL.canParse(link, url ?? ANYWHERE)) {
    findings.add("wrong-format", pointer, "the text is no URL");
    return;
  }
  const absolute = new URL(link, url ?? ANYWHERE);
  if (absolute.protocol !== "http:" && absolute.protocol !== "https:") {
    findings.add(
      "unsafe-url",
      pointer,
      `a URL of scheme ${quoted(absolute.protocol.slice(0, -1))}, where https is expected`,
    );
    return;
  }
  for (const { code, message } of urlFaults(absolute.href, { local: isLocal(url) })) {
    if (code !== "unencrypted-url" || pointer === "/mcp") findings.add(code, pointer, message);
  }
}
