/**
 * The weather at a place, from an API that wants a key. The key comes from the environment and goes nowhere but into a header to that API:
 * in no URL, no message and no log.
 */
import { server } from "openmcp/kit";
import { z } from "zod";
import { createUpstream } from "./upstream.ts";

const { WEATHER_KEY: key, WEATHER_URL: url = "https://api.api-ninjas.com/v1/weather", PORT } = process.env;
if (key === undefined || key === "") {
  console.error("WEATHER_KEY is not set: get a key at https://api-ninjas.com, and start with WEATHER_KEY=…");
  process.exit(1);
}
const current = createUpstream({ url, key });

const weather = server("weather", "1.0.0").tool(
  "current_weather",
  {
    description: "Tells the weather at a place, by its coordinates.",
    input: z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
    output: z.object({ celsius: z.number(), humidity: z.number(), windMetresPerSecond: z.number() }),
    annotations: { readOnlyHint: true },
  },
  (place, { signal }) => current(place, signal),
);

const listening = await weather.listen(Number(PORT ?? 8080));
console.log(listening.url);
