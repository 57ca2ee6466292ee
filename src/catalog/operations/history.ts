/** What a relay was found to be and when, how quickly it answered, and what changed about its tools. */
import { z } from "zod";
import type { HistoryOutput, RelayIdInput } from "../../spec/index.ts";
import { toolDiffShape } from "../changes-schemas.ts";
import { TOOL_CHANGES_TOLD } from "../history/limits.ts";
import { tellHistory } from "../history/tell-history.ts";
import { relayNotFound } from "../not-found.ts";
import { defineOperation } from "../operation.ts";
import { probeStateSchema, relayIdField } from "../schemas.ts";

const windows = <T extends z.ZodType>(value: T) => z.object({ day: value, week: value, month: value });

const latency = z.array(
  z.object({
    at: z.string(),
    looks: z.number(),
    answered: z.number(),
    meanMs: z.number().nullable(),
    slowestMs: z.number().nullable(),
  }),
);

export const history = defineOperation<"history", RelayIdInput, HistoryOutput>({
  name: "history",
  summary: "One relay's history",
  description:
    "Uptime over the last 24 hours, 7 days and 30 days, the states it was found in, its latency, and the changes of its " +
    "tools. Time in which nobody looked is unknown: it is neither uptime nor downtime, and `known` says how much is not.",
  access: "open",
  readOnly: true,
  input: z.object({ id: relayIdField("id") }),
  output: z.object({
    relay: z.string(),
    uptime: windows(z.number().nullable()).describe(
      "Share of the known time in which it was online; null: nothing is known.",
    ),
    known: windows(z.number()).describe("Share of the window of which anything is known."),
    spans: z
      .array(z.object({ state: probeStateSchema, from: z.string(), to: z.string().nullable() }))
      .describe("Oldest first; `to` is null while it lasts. Between two of them may be unknown time."),
    latency: z.object({ hours: latency, days: latency }),
    toolChanges: z.array(z.object({ at: z.string(), ...toolDiffShape })),
  }),
  about: ({ id }) => id,
  async run({ store, clock }, { id }) {
    const stored = await store.history.of(id, { toolChanges: TOOL_CHANGES_TOLD });
    if (stored === null) throw await relayNotFound(store, id);
    return tellHistory(stored, { id, now: clock.now() });
  },
});
