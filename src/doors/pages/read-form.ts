/** A form that a page of ours sent: bounded, and of the type that browsers send (HTML, `application/x-www-form-urlencoded`). */
import { mediaType, readText, wrongType } from "../../http/index.ts";
import { MAX_FORM_BYTES } from "./limits.ts";

/** @throws OpenMcpError `unsupported-media-type`, and as `readText`. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = mediaType(request);
  if (type !== "application/x-www-form-urlencoded") {
    throw wrongType("send the form as application/x-www-form-urlencoded", type);
  }
  return new URLSearchParams(await readText(request, { maxBytes: MAX_FORM_BYTES }));
}
