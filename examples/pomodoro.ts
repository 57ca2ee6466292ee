/** A timer that its clients share: it goes on between calls, and who subscribed to it is told when it starts and ends. */
import { server } from "openmcp/kit";
import { z } from "zod";

const TIMER = "pomodoro://timer";
const state = z.object({
  running: z.boolean(),
  secondsLeft: z.number(),
  finished: z.int().describe("Pomodoros that ended by themselves"),
});

let endsAt = 0;
let finished = 0;
let timer: NodeJS.Timeout | undefined;

function now() {
  const running = timer !== undefined;
  return { running, secondsLeft: running ? Math.max(0, endsAt - Date.now()) / 1_000 : 0, finished };
}

function stop() {
  clearTimeout(timer);
  timer = undefined;
  changed();
}

function start(minutes: number) {
  clearTimeout(timer);
  endsAt = Date.now() + minutes * 60_000;
  timer = setTimeout(() => {
    finished += 1;
    stop();
  }, minutes * 60_000);
  changed();
}

const pomodoro = server("pomodoro", "1.0.0", { instructions: `Subscribe to ${TIMER} to hear when it ends.` })
  .tool(
    "start",
    {
      description: "Starts the timer anew.",
      input: z.object({ minutes: z.number().positive().max(120).optional().describe("25 when left out") }),
      output: state,
      annotations: { destructiveHint: false, openWorldHint: false },
    },
    ({ minutes = 25 }) => {
      start(minutes);
      return now();
    },
  )
  .tool(
    "stop",
    {
      description: "Stops the timer.",
      output: state,
      annotations: { idempotentHint: true, openWorldHint: false },
    },
    () => {
      stop();
      return now();
    },
  )
  .resource("timer", TIMER, { description: "The timer as it is now.", mimeType: "application/json" }, () =>
    JSON.stringify(now()),
  )
  .prompt(
    "plan",
    { description: "Divides a task into pomodoros.", input: z.object({ task: z.string() }) },
    ({ task }) => `Divide this task into steps of 25 minutes each, as a numbered list: ${task}`,
  );

const relay = pomodoro.serve();
const changed = () => relay.notify.resourceUpdated(TIMER);

const { url } = await relay.listen(Number(process.env.PORT ?? 8080));
console.log(url);
