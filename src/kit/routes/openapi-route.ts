/**
 * `openapi.json` beside the endpoint: the tools of whoever asks, as OpenAPI 3.1. The tag is of the document as this user sees it; a
 * predicate that fails gives no document, never a fuller one.
 */
import { openApiReply } from "../../http/index.ts";
import { type OpenApiInfo, type OpenApiTool, toolsToOpenApi } from "../../openapi/index.ts";
import { OpenMcpError } from "../../spec/index.ts";
import type { OpenApiOptions } from "../options.ts";
import type { Viewer } from "../visibility.ts";
import { readTools, type ServeModern } from "./read-tools.ts";

export interface OpenApiRouteOptions {
  readonly options: OpenApiOptions;
  readonly serve: ServeModern;
  /** Some requests are somebody's: nothing is for shared caches. */
  readonly personal: boolean;
}

export interface OpenApiQuestion {
  readonly viewer: Viewer<unknown>;
  readonly info: OpenApiInfo;
  /** The endpoint's path as its callers see it. */
  readonly endpoint: string;
}

export type OpenApiRoute = (request: Request, question: OpenApiQuestion) => Promise<Response>;

export function createOpenApiRoute({ options, serve, personal }: OpenApiRouteOptions): OpenApiRoute {
  const { pathStyle, servers } = options;
  return (request, { viewer, info, endpoint }) => {
    const make = async (): Promise<string> => {
      const tools = await readTools(request, { viewer, serve });
      return JSON.stringify(documentOf(tools));
    };
    const documentOf = (tools: readonly OpenApiTool[]) => {
      try {
        return toolsToOpenApi({ ...info, ...options.info }, tools, {
          endpoint,
          ...(pathStyle === undefined ? {} : { pathStyle }),
          ...(servers === undefined ? {} : { servers }),
        });
      } catch (error) {
        // Two tools of one name, say: nothing that who asks could mend.
        throw new OpenMcpError("internal", "the server's tools make no document", { cause: error });
      }
    };
    return openApiReply(request, make, { private: personal });
  };
}
