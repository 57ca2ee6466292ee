/** The catalog's own hash of content, where the text is at hand and nothing may wait: spec's `contentHash`, in one go. */
import { createHash } from "node:crypto";

/** `sha256:<hex>` of a text. */
export function sha256Of(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
