/** The box of subscribers' secrets that a catalog was given; one without keys when it was given none. */
import type { CatalogContext } from "../context.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";

const unsealed = createSecretBox([]);

export function secretsOf(context: Pick<CatalogContext, "secrets">): SecretBox {
  return context.secrets ?? unsealed;
}
