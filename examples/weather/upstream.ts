/** The weather API: one request a call, bounded in time, read as a stranger's word. */
import { z } from "zod";

const answer = z.object({ temp: z.number(), humidity: z.number(), wind_speed: z.number() });

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

export function createUpstream({ url, key }: { readonly url: string; readonly key: string }) {
  return async ({ latitude, longitude }: Place, signal: AbortSignal) => {
    const asked = new URL(url);
    asked.searchParams.set("lat", String(latitude));
    asked.searchParams.set("lon", String(longitude));
    const response = await fetch(asked, {
      headers: { "x-api-key": key, accept: "application/json" },
      // A redirect could carry the key to another host.
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    }).catch(() => {
      throw new Error("The weather service can't be reached.");
    });
    if (response.status === 401 || response.status === 403) {
      throw new Error("The weather service refuses this server's key.");
    }
    if (!response.ok) throw new Error(`The weather service answered ${response.status}.`);
    const read = answer.safeParse(await response.json().catch(() => null));
    if (!read.success) throw new Error("The weather service answered something else than the weather.");
    const { temp, humidity, wind_speed } = read.data;
    return { celsius: temp, humidity, windMetresPerSecond: wind_speed };
  };
}
