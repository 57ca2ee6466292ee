/** Rolls dice, and asks the person how many sides they have. Over stdio; with PORT in the environment over HTTP. */
import "openmcp/kit/guard";
import { randomInt } from "node:crypto";
import { acceptedContent, inputRequired, inputResponse } from "@modelcontextprotocol/server";
import { result, server } from "openmcp/kit";
import { z } from "zod";

const sidesOf = z.object({ sides: z.int().min(2).max(100).describe("Sides of each die") });

const dice = server("dice", "1.0.0").tool(
  "roll",
  {
    description: "Rolls dice. Asks how many sides they have when the call does not say.",
    input: z.object({ count: z.int().min(1).max(20).optional(), ...sidesOf.partial().shape }),
    output: z.object({ rolls: z.array(z.int()), total: z.int() }),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  ({ count = 1, sides }, { mcp }) => {
    const answers = mcp.mcpReq.inputResponses;
    const known = sides === undefined ? acceptedContent(answers, "sides", sidesOf) : { sides };
    if (known === undefined) {
      const answer = inputResponse(answers, "sides");
      if (answer.kind === "elicit" && answer.action !== "accept") {
        return result({ content: [{ type: "text", text: "Then nothing is rolled." }], isError: true });
      }
      const question = inputRequired.elicit({ message: "How many sides?", requestedSchema: sidesOf });
      return inputRequired({ inputRequests: { sides: question } });
    }
    const rolls = Array.from({ length: count }, () => randomInt(1, known.sides + 1));
    return { rolls, total: rolls.reduce((sum, roll) => sum + roll, 0) };
  },
);

const { PORT } = process.env;
if (PORT === undefined) await dice.serveStdio();
else console.error((await dice.listen(Number(PORT))).url);
