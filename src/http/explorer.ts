/**
 * The Explorer's page and its files (web/explorer), wherever it is mounted: by a catalog, a relay, or `openmcp inspect`. What it is for
 * is written into the page as JSON in a `meta`; the policy allows its own script and style and nothing else. It shows nothing of a
 * server by itself, so it is nobody's secret.
 */
import { type ExplorerSettings, OpenMcpError } from "../spec/index.ts";
import { withoutRead } from "./published-document.ts";
import { readReply } from "./reply.ts";

/** Texts by path below the page's folder: `index.html`, `assets/…`. */
export type ExplorerFiles = Readonly<Record<string, string>>;

export interface ExplorerReplyOptions {
  /** The path below the mount: "" for the mount itself, "/" for the page. */
  readonly path: string;
  readonly settings: ExplorerSettings;
  /** The page may speak to servers of other origins. */
  readonly anywhere?: boolean;
  /** Makes a file smaller for the way, for a client that takes gzip. */
  readonly gzip?: (text: string) => Promise<Uint8Array>;
  /** Default: `loadExplorer`. */
  readonly files?: () => Promise<ExplorerFiles | null>;
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  txt: "text/plain; charset=utf-8",
};

const PLACE = '<meta name="openmcp-explorer" content="{}">';

/** @throws OpenMcpError `not-found` for a file that there is not. */
export async function explorerReply(request: Request, options: ExplorerReplyOptions): Promise<Response> {
  const other = withoutRead(request);
  if (other !== null) return other;
  const { path, settings } = options;
  const { pathname, search } = new URL(request.url);
  if (path === "") {
    // Relative links of the page need its folder, and by its file's name: there are frameworks that lead a path with a slash at its end
    // to the one without. Relative itself: whatever stands before the mount stays.
    const location = `${pathname.slice(pathname.lastIndexOf("/") + 1)}/index.html${search}`;
    return new Response(null, { status: 308, headers: { location, "cache-control": "no-cache" } });
  }
  const files = await (options.files ?? loadExplorer)();
  const name = path === "/" ? "index.html" : path.slice(1);
  const file = files !== null && Object.hasOwn(files, name) ? files[name] : undefined;
  const page = name === "index.html" ? (file === undefined ? UNBUILT : filled(file, settings)) : null;
  const body = page ?? file;
  if (body === undefined) throw new OpenMcpError("not-found", "the Explorer has no such file");
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  const asset = name.startsWith("assets/");
  const small = options.gzip !== undefined && /\bgzip\b/i.test(request.headers.get("accept-encoding") ?? "");
  const reply = readReply(
    request,
    small ? await (options.gzip as (text: string) => Promise<Uint8Array>)(body) : body,
    {
      type,
      // Names of assets change with what is in them: the name says as much as the bytes, and half a megabyte is not read for its tag.
      cacheControl: asset ? "public, max-age=31536000, immutable" : "no-cache",
      version: asset ? `${name}${small ? " gzip" : ""}` : null,
      headers: {
        "content-security-policy": policy(options.anywhere === true),
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "no-referrer",
        vary: "Accept-Encoding",
        ...(small ? { "content-encoding": "gzip" } : {}),
      },
    },
  );
  return request.method === "HEAD"
    ? new Response(null, { status: reply.status, headers: reply.headers })
    : reply;
}

function policy(anywhere: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // What a server sends is shown from memory, never fetched.
    "img-src blob: data:",
    "media-src blob:",
    `connect-src 'self'${anywhere ? " http: https:" : ""}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function filled(page: string, settings: ExplorerSettings): string {
  const place = page.indexOf(PLACE);
  const meta = `<meta name="openmcp-explorer" content="${escaped(JSON.stringify(settings))}">`;
  const whole = page.slice(0, place) + meta + page.slice(place + PLACE.length);
  if (settings.title === null) return whole;
  return whole.replace("<title>Explorer</title>", () => `<title>${escaped(settings.title ?? "")}</title>`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const UNBUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Explorer</title>
<h1>The Explorer is not built</h1>
<p>It comes with the package. In a checkout of the sources, <code>npm run build:web</code> builds it.</p>
</html>
`;

let loading: Promise<ExplorerFiles | null> | null = null;

/** The built files, from a module of the package: there need be no file system. Null when nothing was built. */
export function loadExplorer(): Promise<ExplorerFiles | null> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ExplorerFiles | null> {
  try {
    // Two folders up from the sources, from the library and from the bundled command alike; written out, so that the bundler of
    // somebody whose runtime has no file system finds it too.
    // @ts-expect-error It has no types, and may not be built yet.
    const { files } = await import("../../dist/web/explorer-files.js");
    return files as ExplorerFiles;
  } catch {
    // It may be built later.
    loading = null;
    return null;
  }
}
