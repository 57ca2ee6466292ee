/** Online and verified: two facts, both always said (OpenMCP 0.1 "The client", rule 2), in words and not in colour alone. */
import { html } from "hono/html";
import type { Markup } from "./markup.ts";

export function standing({
  online,
  verified,
}: {
  readonly online: boolean;
  readonly verified: boolean;
}): Markup {
  return html`<span class="fact ${online ? "good" : "bad"}"><span class="dot" aria-hidden="true"></span>${online ? "online" : "offline"}</span><span class="fact ${verified ? "good" : ""}"><span class="tick" aria-hidden="true">${verified ? "✓" : "–"}</span>${verified ? "verified" : "not verified"}</span>`;
}
