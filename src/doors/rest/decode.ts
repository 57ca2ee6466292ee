/**
 * From a request to an operation's raw input. Texts become numbers and booleans only where the operation's input says
 * so; what cannot be read so stays a text, and the operation's own check names the parameter.
 *
 * Unknown query parameters and unknown keys of a body are ignored, not refused. A catalog is read by peers and clients of
 * other versions and makers; one that gave 400 to a parameter it does not know would cut off every newer peer, and
 * links get `utm_…` glued to them. What is known must be right, and must come once.
 */
import { z } from "zod";
import {
  mediaType,
  type ParameterKind,
  readJson,
  readQuery,
  readText,
  relayCredential,
} from "../../http/index.ts";
import { toolOfSegment } from "../../openapi/index.ts";
import { isJsonObject, type JsonObject, OpenMcpError } from "../../spec/index.ts";
import type { Route } from "./route.ts";

export type Decode = (
  request: Request,
  params: Readonly<Record<string, string>>,
) => Record<string, unknown> | Promise<Record<string, unknown>>;

/** The decoder of one route; its input schema is read once, here. */
export function decoderOf(route: Route): Decode {
  const fromPath = pathReader(route);
  switch (route.takes) {
    case "nothing":
      return (_request, params) => fromPath(params);
    case "query": {
      const kinds = kindsOf(route);
      return (request, params) => ({ ...readQuery(request.url, kinds), ...fromPath(params) });
    }
    case "json":
      return async (request, params) => ({
        ...(await readObject(request, route.relayCredential)),
        ...fromPath(params),
        ...credentialFor(route, request),
      });
    case "arguments":
      return async (request, params) => ({
        arguments: await readObject(request, route.relayCredential),
        ...withTool(fromPath(params)),
        ...credentialFor(route, request),
      });
    case "urls":
      return async (request) =>
        mediaType(request) === "text/plain"
          ? { urls: linesOf(await readText(request)) }
          : readObject(request);
  }
}

/** A tool may be called `.` or `..`, which no path can say but twice encoded. */
function withTool({ tool, ...params }: Record<string, string>): Record<string, string> {
  return tool === undefined ? params : { ...params, tool: toolOfSegment(tool) };
}

function pathReader({ rename }: Route): (params: Readonly<Record<string, string>>) => Record<string, string> {
  if (rename === undefined) return (params) => ({ ...params });
  return (params) =>
    Object.fromEntries(Object.entries(params).map(([name, value]) => [rename[name] ?? name, value]));
}

/** The form of each field of the route's input, from its schema. */
export function kindsOf(route: Pick<Route, "operation">): ReadonlyMap<string, ParameterKind> {
  const { properties = {} } = z.toJSONSchema(route.operation.input, { io: "input", unrepresentable: "any" });
  return new Map(
    Object.entries(properties).map(([name, property]) => {
      const type = typeof property === "object" ? property.type : undefined;
      return [name, kindByType[String(type)] ?? "text"];
    }),
  );
}

const kindByType: Readonly<Record<string, ParameterKind>> = {
  integer: "count",
  number: "count",
  boolean: "flag",
  array: "list",
};

/** `forwarded`: it goes on to a relay, with every digit. */
async function readObject(request: Request, forwarded = false): Promise<JsonObject> {
  const body = await readJson(request, { exactNumbers: forwarded });
  if (body === undefined) return {};
  if (isJsonObject(body)) return body;
  throw new OpenMcpError("invalid-input", "the body must be a JSON object", { data: { field: "body" } });
}

/** One URL a line; blank lines and lines that start with `#` are no URLs. */
function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function credentialFor(route: Route, request: Request): { token?: string } {
  const token = route.relayCredential === true ? relayCredential(request) : null;
  return token === null ? {} : { token };
}
