/** Starts Swagger UI on its page, over this catalog's own document; it asks nobody else. */

type SwaggerUi = (options: Readonly<Record<string, unknown>>) => unknown;

const { SwaggerUIBundle } = globalThis as unknown as { readonly SwaggerUIBundle: SwaggerUi };

SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#swagger",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  // The badge of the validator would ask a stranger.
  validatorUrl: null,
});
