/** A Server Card v1, held strictly against its schema and, beyond it, against the lints. */
import type { JsonValue } from "../json.ts";
import { cardShape, remoteShape } from "./card-shape.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { createFindings, type Findings } from "./findings.ts";
import { type Identity, lintIdentity, lintRuntimeMembers } from "./lint-server-card.ts";
import { check, own, type Shape, tidy } from "./shape.ts";

/** What the schema of v1 says, and nothing else: empty exactly when a JSON Schema validator accepts `card`. */
export function validateServerCard(card: JsonValue): readonly Diagnostic[] {
  const findings = createFindings();
  check(cardShape, card, { pointer: "", findings });
  return findings.list.filter(({ code }) => code !== "unsafe-url");
}

/** Adds what is wrong with a card of v1: schema first, then the lints on what is well shaped. */
export function judgeServerCard(
  card: JsonValue,
  {
    findings,
    url,
    pointer = "",
  }: { readonly findings: Findings; readonly url?: string | undefined; readonly pointer?: string },
): void {
  check(cardShape, card, { pointer, findings });
  if (typeof card !== "object" || card === null || Array.isArray(card)) return;
  const context = { findings, url, pointer };
  lintIdentity(identityOf(card), context);
  lintRuntimeMembers(card, context);
  const remotes = own(card, "remotes");
  if (remotes === undefined || (Array.isArray(remotes) && remotes.length === 0)) {
    findings.add("no-remotes", pointer, "the card names no remote");
  }
}

/** The well-shaped parts, remotes in their places: what is badly shaped was told of already. */
export function identityOf(card: JsonValue): Identity {
  const text = (name: string): { readonly [key: string]: string } => {
    const value = own(card, name);
    return typeof value === "string" ? { [name]: value } : {};
  };
  const repositoryUrl = own(own(card, "repository") ?? null, "url");
  const icons = own(card, "icons");
  const remotes = own(card, "remotes");
  return {
    ...text("name"),
    ...text("version"),
    ...text("websiteUrl"),
    ...(typeof repositoryUrl === "string" ? { repository: { url: repositoryUrl } } : {}),
    ...(Array.isArray(icons)
      ? {
          icons: icons.map((icon: JsonValue) => {
            const src = own(icon, "src");
            return typeof src === "string" ? { src } : {};
          }),
        }
      : {}),
    ...(Array.isArray(remotes) ? { remotes: remotes.map((remote: JsonValue) => remoteOf(remote)) } : {}),
  };
}

/** A remote as far as it can be linted; with an empty URL where it has none, so that the others keep their places. */
function remoteOf(remote: JsonValue): NonNullable<Identity["remotes"]>[number] {
  const { members } = remoteShape as Extract<Shape, { kind: "object" }>;
  const lenient: Shape = { kind: "object", required: [], members };
  const tidied = (tidy(lenient, remote) ?? {}) as object;
  return { type: "streamable-http", url: "", ...tidied } as NonNullable<Identity["remotes"]>[number];
}
