/**
 * What is shown of secrets on the wire: that they were there. Credentials that were typed are masked wherever they stand, headers and
 * members by what their names say. For eyes and screenshots; whoever opens the browser's own tools sees all. Pure.
 */

export const MASK = "••••••";

const SECRET_HEADER =
  /^(?:(?:proxy-|x-relay-)?authorization|cookie|set-cookie|mcp-session-id)$|token|secret|api-?key|password/i;
const SECRET_MEMBER =
  /"((?:[a-z_-]{0,24})(?:password|passwd|secret|api_?key|access_?token|refresh_?token|auth_?token|authorization)|token)"(\s*:\s*)"(?:[^"\\]|\\.)*"/gi;

export function maskHeader(name: string, value: string): string {
  if (!SECRET_HEADER.test(name)) return value;
  const scheme = /^(?:Bearer|Basic|DPoP)(?= )/i.exec(value)?.[0];
  return scheme === undefined ? MASK : `${scheme} ${MASK}`;
}

/** `secrets`: texts that a person typed as credentials. */
export function maskText(text: string, secrets: readonly string[]): string {
  let masked = text.replace(
    SECRET_MEMBER,
    (_whole, name: string, colon: string) => `"${name}"${colon}"${MASK}"`,
  );
  for (const secret of secrets) {
    // A text of few characters would be masked everywhere, and tell more than it hides.
    if (secret.length < 6) continue;
    for (const form of new Set([secret, JSON.stringify(secret).slice(1, -1)]))
      masked = masked.replaceAll(form, MASK);
  }
  return masked;
}
