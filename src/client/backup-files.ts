/**
 * A catalog's database as a file, out and in (docs/operate.md): for its admin, over REST. Files are streams and never held;
 * they take as long as they take, so only the caller's signal ends them. Whether a file is whole is for who keeps it to check.
 */
import { isJsonObject, OpenMcpError, type RestoreReport } from "../spec/index.ts";
import { boundedText } from "./bounded-text.ts";
import { MAX_BODY_BYTES } from "./limits.ts";
import { type Answer, errorFromAnswer, foreignAnswer } from "./problem.ts";
import { type Fetch, readBase } from "./settings.ts";
import { catalogUnreachable } from "./unreachable.ts";

export interface BackupFileOptions {
  /** The catalog's admin token. */
  readonly token: string | undefined;
  /** Default `globalThis.fetch`. */
  readonly fetch?: Fetch;
  readonly signal?: AbortSignal;
}

export interface BackupFile {
  readonly file: ReadableStream<Uint8Array>;
  /** As the catalog stated them; null when something on the way dropped it. */
  readonly bytes: number | null;
}

/**
 * Has the catalog at `base` make a backup, and gives it as it comes.
 * @throws OpenMcpError `unauthorized`, `catalog-unreachable`, `catalog-answer`, `aborted`, and what the catalog says.
 */
export async function downloadBackup(base: string, options: BackupFileOptions): Promise<BackupFile> {
  const response = await ask(base, { path: "/v1/admin/backup", method: "GET" }, options);
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null || !type.includes("sqlite")) throw foreignAnswer(await answerOf(response));
  const stated = Number(response.headers.get("content-length") ?? Number.NaN);
  return { file: response.body, bytes: Number.isSafeInteger(stated) ? stated : null };
}

/**
 * Puts `file` in the place of the catalog's database; the catalog checks it first and goes on serving.
 * @throws OpenMcpError `invalid-input` when the file is no sound backup, and as `downloadBackup`.
 */
export async function restoreBackup(
  base: string,
  file: Blob,
  options: BackupFileOptions,
): Promise<RestoreReport> {
  const response = await ask(base, { path: "/v1/admin/restore", method: "POST", body: file }, options);
  const answer = await answerOf(response);
  const { json } = answer;
  if (!isJsonObject(json) || json.kept === undefined) throw foreignAnswer(answer);
  const { ok: _ok, ...report } = json;
  return report as unknown as RestoreReport;
}

interface Request {
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly body?: Blob;
}

async function ask(
  base: string,
  { path, method, body }: Request,
  options: BackupFileOptions,
): Promise<Response> {
  const { token, signal } = options;
  const site = readBase(base);
  const fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  try {
    const response = await fetch(`${site}${path}`, {
      method,
      headers: {
        accept: "application/vnd.sqlite3, application/json, application/problem+json",
        ...(token === undefined || token === "" ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/vnd.sqlite3" }),
      },
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (response.ok) return response;
    throw errorFromAnswer(await answerOf(response), "admin");
  } catch (error) {
    if (error instanceof OpenMcpError) throw error;
    if (signal?.aborted === true) {
      throw new OpenMcpError("aborted", "The request was ended before its answer.", { cause: error });
    }
    throw catalogUnreachable(site, error);
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await boundedText(response, MAX_BODY_BYTES);
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    text,
    json: parse(text),
    url: response.url,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
