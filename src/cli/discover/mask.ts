/** Takes values of secret inputs out of what is printed: a template may put one into a URL, and a URL is shown in many places. */
import type { Discovery } from "../../discovery/index.ts";
import { remoteInputs } from "../../spec/index.ts";

export interface Mask {
  text(text: string): string;
  value(value: unknown): unknown;
}

/** Secret is what a remote says is secret, and every value for a header. */
export function createMask({ servers }: Discovery, inputs: Readonly<Record<string, string>>): Mask {
  const secrets = new Set<string>();
  for (const { remote } of servers) {
    if (remote === null) continue;
    for (const { name, where, input } of remoteInputs(remote)) {
      const value = inputs[name];
      if (value !== undefined && value !== "" && (input.isSecret === true || where === "header")) {
        secrets.add(value);
        secrets.add(encodeURIComponent(value));
      }
    }
  }
  const text = (shown: string): string => {
    let masked = shown;
    for (const secret of secrets) masked = masked.replaceAll(secret, "***");
    return masked;
  };
  const value = (shown: unknown): unknown => {
    if (typeof shown === "string") return text(shown);
    if (Array.isArray(shown)) return shown.map(value);
    if (typeof shown !== "object" || shown === null) return shown;
    return Object.fromEntries(Object.entries(shown).map(([key, member]) => [key, value(member)]));
  };
  return secrets.size === 0 ? { text: (shown) => shown, value: (shown) => shown } : { text, value };
}
