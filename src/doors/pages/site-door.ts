/**
 * What was built before the catalog ran, served as it lies there: the docs, and llms.txt. It knows a table of files by name,
 * handed in, and no file system: a path that is not in the table is nothing, however it is spelled.
 */
import { html } from "hono/html";
import {
  createGate,
  type Gate,
  methodNotAllowed,
  optionsReply,
  problemReply,
  publicError,
  readReply,
} from "../../http/index.ts";
import { OpenMcpError } from "../../spec/index.ts";
import { cut } from "./markup.ts";

export interface SiteFile {
  readonly body: Uint8Array;
  /** As `Content-Type` says it. */
  readonly type: string;
}

/** Built files by path, such as `docs/index.html`; null for one that there is not. */
export type SiteFiles = (path: string) => Promise<SiteFile | null>;

export interface SiteDoorOptions {
  readonly files: SiteFiles;
  /** The catalog's own URL; its Host is the one that is answered. */
  readonly url: string;
  readonly gate?: Gate;
  /** What the catalog is called, by which the docs lead back to it; absent: they lead nowhere but to themselves. */
  readonly name?: string;
}

const READS = ["GET", "HEAD"];

/** Own files only; no script. */
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
} as const;

/** A fetch for `/docs`, everything below it, and `/llms.txt`. */
export function siteDoor({
  files,
  url,
  gate = createGate({ url }),
  name,
}: SiteDoorOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      gate.checkHost(request);
      if (request.method === "OPTIONS") return optionsReply(READS);
      if (!READS.includes(request.method)) throw methodNotAllowed(request.method.slice(0, 20), READS);
      const { pathname } = new URL(request.url);
      const elsewhere = moved[pathname];
      if (elsewhere !== undefined)
        return new Response(null, { status: 308, headers: { location: elsewhere } });
      const file = await fileAt(pathname);
      if (file === null) throw new OpenMcpError("not-found", "there is no such page; /docs/ lists them all");
      return readReply(request, name === undefined ? file.body : ledBack(file, name), {
        type: file.type,
        headers: HEADERS,
        cacheControl: "public, max-age=300",
      });
    } catch (error) {
      return problemReply(publicError(error));
    }
  };

  async function fileAt(pathname: string): Promise<SiteFile | null> {
    const path = pathname.slice(1);
    if (path.endsWith("/")) return files(`${path}index.html`);
    // A page answers without its ending too.
    return (await files(path)) ?? files(`${path}.html`);
  }
}

/** Where a page of the docs takes the way back to who serves it (web/docs/page.ts). */
const PLACE = "<!--home-->";

function ledBack({ body, type }: SiteFile, name: string): Uint8Array | string {
  if (!type.startsWith("text/html")) return body;
  const home = html`<a class="to-catalog" href="/"><span aria-hidden="true">←</span> ${cut(name, 80)}</a>`;
  return Buffer.from(body.buffer, body.byteOffset, body.length)
    .toString()
    .replace(PLACE, () => home.toString());
}

/** Links in these are relative to where they lie. */
const moved: Readonly<Record<string, string>> = {
  "/docs": "/docs/",
  "/llms.txt": "/docs/llms.txt",
};
