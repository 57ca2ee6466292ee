/** As small as a relay gets. */
import { server } from "openmcp/kit";
import { z } from "zod";

const greet = server("greet", "1.0.0").tool(
  "greet",
  { description: "Greets someone by name.", input: z.object({ name: z.string() }) },
  ({ name }) => `Hello, ${name}!`,
);

const { url } = await greet.listen(Number(process.env.PORT ?? 8080));
console.log(url);
