/** All that is looked at for one server in one application: its file, its entry, and then what the entry names. */
import { isOpenMcpError } from "../../spec/index.ts";
import { type ApplicationId, applicationOf, type Scope } from "../applications.ts";
import { readConfigFile } from "../config-file.ts";
import { maskSecrets, maskSentence, secretsIn } from "../edit/mask-words.ts";
import { isSecretName, type Launch, launchOf } from "../entry.ts";
import { readEntries } from "../install.ts";
import { SHORT_VALUE_CHARS } from "../limits.ts";
import type { Machine } from "../machine.ts";
import { bad, type Check, good, warning } from "./check.ts";
import { checkCommand } from "./check-command.ts";
import { checkUrl, type UrlCheckOptions } from "./check-url.ts";

export interface Examination {
  readonly client: ApplicationId | null;
  readonly scope: Scope | null;
  /** Null: the file itself. */
  readonly name: string | null;
  readonly path: string | null;
  readonly checks: readonly Check[];
}

export interface ExamineOptions extends UrlCheckOptions {
  readonly machine: Machine;
}

/** The named server in one file, or all of it. Null when the file is not there. */
export async function examineFile(
  {
    client,
    scope,
    name,
  }: { readonly client: ApplicationId; readonly scope: Scope; readonly name: string | null },
  options: ExamineOptions,
): Promise<readonly Examination[]> {
  const { machine } = options;
  const application = applicationOf(client);
  const at = { client, scope };
  try {
    const { path, exists, entries } = await readEntries({ client, scope, machine });
    if (!exists) return [];
    const file = await fileChecks(path, application);
    if (name !== null && entries[name] === undefined) {
      const others = Object.keys(entries);
      const cure = others.length === 0 ? "`openmcp install` puts one in." : `It has: ${others.join(", ")}.`;
      return [
        {
          ...at,
          name,
          path,
          checks: [...file, bad("entry", `There is no "${name}" under "${application.key}"`, cure)],
        },
      ];
    }
    const names = name === null ? Object.keys(entries) : [name];
    const examined: Examination[] =
      names.length === 0
        ? [
            {
              ...at,
              name: null,
              path,
              checks: [...file, warning("entry", "No server is in it", "`openmcp install` puts one in.")],
            },
          ]
        : [];
    for (const each of names) {
      const launch = launchOf(application, entries[each]);
      const checks =
        launch === null
          ? [
              bad(
                "entry",
                "It names neither a command nor a URL",
                `${application.title} wants "${application.shape.command.command}"${application.shape.http === null ? "" : ` or "${application.shape.http.url}"`}.`,
              ),
            ]
          : launch.kind === "http" && application.shape.http === null
            ? [
                bad(
                  "entry",
                  `${application.title} takes no URL in its file`,
                  "`openmcp install` bridges it, or add it in Settings under Connectors.",
                ),
              ]
            : [good("entry", each), ...(await examineLaunch(launch, options))];
      examined.push({ ...at, name: each, path, checks: [...file, ...checks] });
    }
    return examined;
  } catch (error) {
    if (!isOpenMcpError(error, "invalid-input")) throw error;
    const path = typeof error.data.path === "string" ? error.data.path : null;
    return [
      {
        ...at,
        name,
        path,
        checks: [
          bad(
            "file",
            error.message,
            "Mend it by hand: a missing comma, a quote, a half-written line. Nothing of it is read as it is.",
          ),
        ],
      },
    ];
  }
}

/** What a server says of its credentials, in its last words or its answers, is shown without them. */
export async function examineLaunch(launch: Launch, options: ExamineOptions): Promise<readonly Check[]> {
  const checks = await (launch.kind === "http" ? checkUrl(launch, options) : checkCommand(launch, options));
  const secrets = secretsOf(launch);
  const shown = (text: string): string => maskSentence(maskSecrets(text, secrets));
  return checks.map((check) => ({
    ...check,
    detail: shown(check.detail),
    ...(check.cure === undefined ? {} : { cure: shown(check.cure) }),
  }));
}

function secretsOf(launch: Launch): readonly string[] {
  if (launch.kind === "http") {
    const values = Object.values(launch.headers);
    return [...values, ...values.map((value) => value.replace(/^\S+ /, "")), ...secretsIn([launch.url])];
  }
  const values = Object.entries(launch.env).flatMap(([name, value]) =>
    isSecretName(name) || value.length > SHORT_VALUE_CHARS ? [value] : [],
  );
  return [...values, ...secretsIn(launch.args)];
}

async function fileChecks(
  path: string,
  application: ReturnType<typeof applicationOf>,
): Promise<readonly Check[]> {
  const { text } = await readConfigFile(path);
  if (application.format === "json" && !application.comments) {
    try {
      JSON.parse(text.trim() === "" ? "{}" : text);
    } catch {
      return [
        bad(
          "file",
          `${path} has comments, trailing commas or a byte order mark`,
          `${application.title} reads plain JSON only, and then none of its servers. Take them out.`,
        ),
      ];
    }
  }
  return [good("file", path)];
}
