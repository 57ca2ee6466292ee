/**
 * A client of any API, made from its OpenAPI document alone: operations by their id, the body as JSON, the first server, credentials
 * where a security scheme says. It knows nothing of MCP or of catalogs.
 */
interface Operation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly required?: boolean };
}

interface Document {
  readonly servers: readonly [{ readonly url: string }];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes?: Readonly<Record<string, { readonly in: string; readonly name: string }>>;
  };
}

export interface PlainAnswer {
  readonly status: number;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: what an API answers.
  readonly body: any;
}

export type PlainClient = (
  operationId: string,
  body?: unknown,
  credentials?: Readonly<Record<string, string>>,
) => Promise<PlainAnswer>;

export function plainClient(document: Document): PlainClient {
  return async (operationId, body, credentials = {}) => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation.operationId !== operationId) continue;
        const headers: Record<string, string> = { "content-type": "application/json" };
        const named = (operation.security ?? []).flatMap((requirement) => Object.keys(requirement));
        for (const name of named) {
          const scheme = document.components.securitySchemes?.[name];
          const credential = credentials[name];
          if (scheme?.in === "header" && credential !== undefined) headers[scheme.name] = credential;
        }
        const response = await fetch(`${document.servers[0].url}${path}`, {
          method: method.toUpperCase(),
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const type = response.headers.get("content-type") ?? "";
        return { status: response.status, type, body: await response.json() };
      }
    }
    throw new Error(`no operation ${operationId}`);
  };
}
