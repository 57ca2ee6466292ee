/** A relay over stdio as its own process, for stdio.test.ts: the argument says what else it does. */
import "../../src/kit/guard.ts";
import { spawn } from "node:child_process";
import fs, { writeSync } from "node:fs";
import { server } from "../../src/kit/index.ts";

const does = process.argv[2] ?? "";

function banner(): void {
  console.log("a banner of a library");
  console.group("a group");
  console.table([{ of: "a table" }]);
  console.groupEnd();
  process.stdout.write("and one by hand\n");
  fs.writeSync(1, "and one to the descriptor\n");
  writeSync(1, "and one by a name that was imported\n");
}
if (does === "noisy" || does === "strict") banner();

const relay = server("stdio", "1.0.0", { sessions: { state: () => ({ calls: 0 }) } })
  .tool(
    "echo",
    { input: { type: "object", properties: { text: { type: "string" } } } },
    ({ text }, { session }) => {
      if (does === "noisy") console.log("in a call");
      return `${text} ${session === null ? "nobody" : "someone"}`;
    },
  )
  .tool("count", {}, async (_, { session }) => {
    const state = await session?.state.update(({ calls }) => ({ calls: calls + 1 }));
    return String(state?.calls);
  })
  .tool("slow", {}, async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return "slow and done";
  })
  .tool("big", {}, () => "x".repeat(3_000_000))
  .tool("crash", {}, () => {
    setTimeout(() => {
      throw new Error("nobody caught this");
    });
    return "soon";
  })
  .tool("child", {}, () => {
    spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
    return "spawned";
  })
  .resource("note", "note://one", {}, (_, { session }) => (session === null ? "nobody" : "someone"));

// Something else that would keep the process alive.
setInterval(() => {}, 60_000);
await relay.serveStdio({
  ...(does === "strict" ? { strict: true } : {}),
  ...(does === "log" ? { crash: "log" as const } : {}),
});
