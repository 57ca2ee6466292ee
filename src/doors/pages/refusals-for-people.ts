/**
 * What any door refuses, as a page for who asks for pages: around all doors, so that no path of a catalog answers a person with a
 * problem document. Status and headers stay the problem's. Where programs alone are at home (`programs`) the page is for a browser
 * that was led there and for nobody else: there are HTTP libraries that name HTML first and mean anything. What a relay answers stays
 * the relay's: on a page it would be the catalog's word.
 */
import type { CatalogIdentity } from "../../catalog/index.ts";
import { type Door, problems } from "../../http/index.ts";
import { errorPage } from "./error-page.ts";
import type { Markup } from "./markup.ts";
import { HTML_TYPE, PAGE_HEADERS } from "./policy.ts";
import { wantsHtml } from "./wants-html.ts";

export interface RefusalsForPeopleOptions {
  readonly identity: CatalogIdentity;
  /** Whether this path is one of programs. */
  readonly programs: (pathname: string) => boolean;
  /** Whether a relay answers at this URL: there problem documents alone are the catalog's. */
  readonly passed: (url: string) => boolean;
}

export function refusalsForPeople(
  door: Door,
  { identity, programs, passed }: RefusalsForPeopleOptions,
): Door {
  return (request, env) => (wantsHtml(request) ? answer(request, env) : door(request, env));

  async function answer(request: Request, env: unknown): Promise<Response> {
    const reply = await door(request, env);
    if (reply.status < 400) return reply;
    const refusal = passed(request.url) ? PROBLEM : REFUSAL;
    if (!refusal.test(reply.headers.get("content-type") ?? "")) return reply;
    if (programs(new URL(request.url).pathname) && !isLed(request)) return reply;
    // A HEAD has no document to tell a page from, and needs no page.
    if (request.method === "HEAD")
      return new Response(null, { status: reply.status, headers: pageHeaders(reply) });
    return problemPage(identity, reply);
  }
}

const PROBLEM = /^application\/problem\+json\b/;
/** Problem documents, and the JSON-RPC errors of an MCP endpoint. */
const REFUSAL = /^application\/(?:problem\+)?json\b/;

interface Told {
  readonly title: string;
  readonly detail: string;
  readonly status: number;
}

/** A refusal with a page in place of its document. */
export async function problemPage(
  identity: CatalogIdentity,
  refusal: Response,
  pageOf: (told: Told) => Markup = (told) => errorPage(identity, told),
): Promise<Response> {
  const { status } = refusal;
  const { title, detail, error } = (await refusal.json()) as RefusalDocument;
  const told = {
    status,
    title: title ?? Object.values(problems).find((known) => known.status === status)?.title ?? "Refused",
    detail: detail ?? (typeof error === "object" ? error.message : ""),
  };
  return new Response((await pageOf(told)).toString(), { status, headers: pageHeaders(refusal) });
}

function pageHeaders(refusal: Response): Headers {
  const headers = new Headers(refusal.headers);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) headers.set(name, value);
  headers.set("content-type", HTML_TYPE);
  return headers;
}

interface RefusalDocument {
  readonly title?: string;
  readonly detail?: string;
  readonly error?: string | { readonly message: string };
}

/** A link that was followed, or an address that was typed (Fetch Metadata); no script and no library says so. */
function isLed(request: Request): boolean {
  return request.headers.get("sec-fetch-mode") === "navigate";
}
