/** The shapes of a Server Card v1 and its parts, as its schema has them; test/spec holds them equal to the vendored schema. */
import { MAX_CARD_TEXT } from "../limits.ts";
import { flag, list, map, object, type Shape, text } from "./shape.ts";

const web = ["https", "http"];

/** No white space; a template may begin with a placeholder. The schema's own pattern, told apart by `form`. */
const REMOTE_URL = /^(?:https?:\/\/\S+|\{[a-zA-Z_][a-zA-Z0-9_]*\}\S*)$/u;

export const CARD_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

const inputMembers: Readonly<Record<string, Shape>> = {
  description: text(),
  isRequired: flag,
  isSecret: flag,
  format: text({ choices: ["boolean", "filepath", "number", "string"] }),
  default: text(),
  placeholder: text(),
  value: text(),
  choices: list(text()),
};

const input = object([], inputMembers);

const header = object(["name"], { ...inputMembers, name: text(), variables: map(input) });

export const remoteShape = object(["type", "url"], {
  type: text({ choices: ["streamable-http", "sse"] }),
  url: text({ pattern: REMOTE_URL, form: "an http or https URL, or a template of one" }),
  headers: list(header),
  variables: map(input),
  supportedProtocolVersions: list(text()),
});

export const iconShape = object(["src"], {
  src: text({ schemes: [...web, "data"] }),
  mimeType: text(),
  sizes: list(text()),
  theme: text({ choices: ["light", "dark"] }),
});

export const repositoryShape = object(["url", "source"], {
  // `git clone` knows more than the web does.
  url: text({ schemes: [...web, "git", "ssh", "git+https", "git+ssh"] }),
  source: text(),
  subfolder: text(),
  id: text(),
});

/** What a card and a server.json have in common. */
export const identityMembers: Readonly<Record<string, Shape>> = {
  name: text({
    min: 3,
    max: 200,
    pattern: CARD_NAME,
    form: "a namespace, one slash and a name, such as com.example/weather",
  }),
  version: text({ max: 255 }),
  description: text({ min: 1, max: MAX_CARD_TEXT }),
  title: text({ min: 1, max: MAX_CARD_TEXT }),
  websiteUrl: text({ schemes: web }),
  repository: repositoryShape,
  icons: list(iconShape),
  _meta: map(null),
  remotes: list(remoteShape),
};

export const cardShape = object(["$schema", "name", "version", "description"], {
  $schema: text({
    pattern: /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/v1\/server-card\.schema\.json$/,
    form: "the URL of the Server Card schema v1",
    code: "schema-url",
  }),
  ...identityMembers,
});
