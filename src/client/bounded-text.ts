/** Reads a response's body as text, up to a limit of bytes; past it the body is dropped and `too-large` thrown. */
import { OpenMcpError } from "../spec/index.ts";

export async function boundedText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        throw tooLarge(maxBytes);
      }
      parts.push(decoder.decode(value, { stream: true }));
    }
    parts.push(decoder.decode());
    return parts.join("");
  } catch (error) {
    // The body may be broken already; that it can't be cancelled then says nothing new.
    await reader.cancel().catch(() => undefined);
    throw error;
  }
}

export function tooLarge(maxBytes: number): OpenMcpError {
  return new OpenMcpError(
    "too-large",
    `The catalog's answer is over ${Math.floor(maxBytes / 1024 / 1024)} MiB. Ask for less with "limit".`,
    { data: { maxBytes } },
  );
}
