/** `npm start` as a person or a supervisor runs and stops it: nothing stays behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");

it("ends when the npm that started it is stopped, though npm's shell passes no signal on", async () => {
  const npm = spawn("npm", ["start"], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, OPENMCP_PORT: "0", OPENMCP_DB: ":memory:", NO_COLOR: "1" },
  });
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    npm.stdout.on("data", (chunk: Buffer) => {
      said += chunk;
      const found = /(http:\/\/127\.0\.0\.1:\d+)\s/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void once(npm, "exit").then(() => reject(new Error(`npm ended early: ${said}`)));
  });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // Its standard output is the pipe's last holder: the pipe closes when the catalog is really gone.
  const gone = once(npm.stdout, "close");
  npm.kill("SIGTERM");
  await gone;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
