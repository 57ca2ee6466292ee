/**
 * What each diagnostic means, how bad it is, and its cure. `breaks`: the document is then not what its specification says, by its
 * schema or by a rule of its text. An error that breaks nothing is valid and wrong all the same. docs/diagnostics.md is this table;
 * a test holds the two equal.
 */
import type { DiagnosticCode, Severity } from "./diagnostic.ts";

export interface DiagnosticRule {
  readonly severity: Severity;
  /** The document is not conformant. */
  readonly breaks: boolean;
  readonly meaning: string;
  readonly cure: string;
}

const broken = (meaning: string, cure: string): DiagnosticRule => ({
  severity: "error",
  breaks: true,
  meaning,
  cure,
});
const wrong = (meaning: string, cure: string): DiagnosticRule => ({
  severity: "error",
  breaks: false,
  meaning,
  cure,
});
const doubtful = (meaning: string, cure: string): DiagnosticRule => ({
  severity: "warning",
  breaks: false,
  meaning,
  cure,
});
const note = (meaning: string, cure: string): DiagnosticRule => ({
  severity: "info",
  breaks: false,
  meaning,
  cure,
});

export const diagnosticRules: Readonly<Record<DiagnosticCode, DiagnosticRule>> = {
  "not-utf-8": broken("The bytes are not UTF-8", "Save the file as UTF-8"),
  "not-json": broken("The text is not JSON", "Serve one JSON object, in UTF-8"),
  html: broken(
    "The answer is an HTML page",
    "Serve the document itself at this URL, and a 404 where there is none",
  ),
  "byte-order-mark": doubtful("The text begins with a byte order mark", "Save the file as UTF-8 without one"),
  "duplicate-key": broken(
    "A key comes twice in one object: two readers may read two documents",
    "Keep one of the two",
  ),
  "too-deep": broken("Arrays and objects are nested deeper than readers follow", "Flatten the document"),
  "too-large": doubtful(
    "The document is over 1 MiB, where readers stop",
    "Split it; a catalog can have nested catalogs",
  ),
  "unknown-document": broken(
    "It is JSON, and no discovery document",
    "Compare it with the example of the document that it should be",
  ),
  "served-type": doubtful(
    "The document is served under a media type that is not its own",
    "Send the Content-Type that is named",
  ),
  "missing-member": broken("A required member is missing", "Add it"),
  "wrong-type": broken("A member has a value of another type", "Give it the type that is named"),
  "null-value": broken("A member is null, which is never valid", "Leave the member out"),
  "too-short": broken("A text is shorter than it may be", "Say something, or leave the member out"),
  "too-long": broken("A text is longer than it may be, in code points", "Shorten it"),
  "wrong-format": broken("A text does not have its form", "Write it in the form that is named"),
  "unknown-value": broken("A value is none of those there are", "Use one of those that are named"),

  "schema-url": broken(
    "`$schema` is not the one of the Server Card v1",
    "Set it to https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  ),
  "legacy-shape": broken(
    "The document has the shape of an older draft",
    "Write it in the shape of today; what is read of it is shown by --json",
  ),
  "name-traversal": wrong(
    "A part of the name is dots alone, which is a path to other files",
    "Name the server as `com.example/weather`",
  ),
  "version-range": broken(
    "`version` names no single version: it is empty, a range or a moving word",
    "Give the version of the server that runs, such as 1.4.2",
  ),
  "unsafe-url": wrong("A URL has a scheme that runs or reads something", "Use an https URL"),
  "unreadable-url": wrong(
    "A text has the form of a URI, and no URL can be read from it",
    "Write an absolute https URL",
  ),
  "relative-url": wrong(
    "A URL is relative, and the document's own URL is not known",
    "Use an absolute URL, or lint the document at its URL",
  ),
  "credential-in-url": broken(
    "A URL carries a credential, for everybody to read",
    "Take it out, change it, and ask for it by a secret input",
  ),
  "private-address": broken(
    "A URL leads to an address that only its own network reaches",
    "Use the public URL",
  ),
  "unencrypted-url": doubtful("A URL is http: whoever is on the way can read and change it", "Use https"),
  "variable-name": wrong(
    "A variable's name can't be substituted",
    "Use letters, digits and underscores, and no digit first",
  ),
  "undeclared-variable": doubtful(
    "A placeholder is not among the variables: nobody knows what to ask for",
    "Describe it in `variables`",
  ),
  "unused-variable": note(
    "A variable is described and used nowhere",
    "Use it in the template, or leave it out",
  ),
  "host-from-input": doubtful(
    "What is typed in decides which host is called",
    "Write scheme and host into the template",
  ),
  "secret-literal": broken(
    "A secret input has its value in the document, for everybody to read",
    "Take it out, change the secret, and let each client give its own",
  ),
  "token-literal": broken(
    "A value looks like a credential",
    "Take it out, change it, and ask for it by a secret input",
  ),
  "value-not-a-choice": doubtful(
    "A value or default is none of the input's choices",
    "Add it to `choices`, or use one of them",
  ),
  "header-name": wrong(
    "A header can't be sent under this name",
    "Use the name of a header that a client may set",
  ),
  "duplicate-header": doubtful("A header is named twice", "Name it once"),
  "no-remotes": note(
    "The card names no remote: nobody can connect by it alone",
    "Add the server's URL to `remotes`",
  ),
  "remote-dropped": doubtful(
    "A remote can't be used, and is left out of what is read",
    "Give it a type and an http or https URL",
  ),
  "runtime-member": doubtful(
    "A card does not say what only the running server knows: tools, capabilities, auth",
    "Leave it out; clients ask the server",
  ),

  "spec-version": broken(
    "`specVersion` is not of its form",
    'Write it as text: "1.0", or "draft" in an MCP Catalog',
  ),
  "spec-version-unsupported": broken(
    "`specVersion` is of a later major version, which may mean something else",
    "Update the reader, or publish 1.x beside it",
  ),
  "media-type-member": broken(
    "The media type is under the name of the other catalog",
    "Call it `type` in an AI Catalog 1.x, and `mediaType` in an MCP Catalog",
  ),
  "media-type-spelling": doubtful(
    "The media type is understood, and not spelled as registered",
    "Use the media type that is named",
  ),
  "media-type-unknown": note(
    "An entry is of a type that is not MCP's: it is kept and not followed",
    "Nothing, if that is meant",
  ),
  "url-and-data": broken("An entry has both `url` and `data`", "Keep one"),
  "url-or-data-missing": broken("An entry has neither `url` nor `data`", "Add the URL of its document"),
  "identifier-form": broken(
    "In an MCP Catalog an identifier is `urn:mcp:server:` and the card's name",
    "Write it so",
  ),
  "identifier-not-uri": doubtful(
    "An identifier is no URI",
    "Use a URN such as urn:air:example.com:mcp:weather, or a URL",
  ),
  "identifier-duplicate": broken(
    "Two entries have one identifier, and the same version",
    "Give each its own",
  ),
  "entries-cut": doubtful("There are more entries than readers take", "Split the catalog into nested ones"),
  "entry-dropped": doubtful(
    "An entry can't be used, and is left out of what is read",
    "Mend what is named at it",
  ),
  "data-not-conformant": doubtful("The document in `data` is not conformant itself", "Lint it on its own"),
};
