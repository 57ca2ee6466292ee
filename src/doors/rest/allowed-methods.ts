/** Which methods a path answers to, from the same table as the router: for 405, `Allow` and OPTIONS. */
import { routes } from "./routes.ts";

const documents = ["/v1/openapi.json", "/healthz", "/readyz", "/metrics"].map((path) => ({
  method: "GET",
  path,
}));

const patterns = [...routes, ...documents].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/[.]/g, "\\$&").replace(/:[a-z]+/g, "[^/]+")}$`),
}));

/** In the table's order, HEAD after GET; empty for a path that no route has. */
export function allowedMethods(path: string): readonly string[] {
  const methods = new Set<string>();
  for (const { method, pattern } of patterns) {
    if (!pattern.test(path)) continue;
    methods.add(method);
    if (method === "GET") methods.add("HEAD");
  }
  return [...methods];
}
