/** docs/webhooks.md: its receiver runs as it stands there, against a real catalog. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { CatalogClient } from "../../src/client/index.ts";
import { parseServeOptions, startCatalog } from "../../src/server/index.ts";
import { verifies } from "../requirements.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it("the receiver of the page receives, verifies and prints", verifies("webhook.verify-raw"), async () => {
  const page = await readFile(join(root, "docs/webhooks.md"), "utf8");
  const [, example = ""] = /^```ts\n((?:(?!```).*\n)*)/m.exec(page) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "openmcp-example-"));
  const port = await freePort();
  try {
    const source = JSON.stringify(join(root, "src/client/index.ts"));
    await writeFile(join(folder, "receiver.ts"), example.replace('"openmcp/client"', source));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
    const secret = "a secret of this test";
    const receiver = spawn(process.execPath, ["receiver.ts"], {
      cwd: folder,
      env: { ...process.env, PORT: String(port), OPENMCP_WEBHOOK_SECRET: secret },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(receiver, "exit");
    try {
      await using catalog = await startCatalog(
        parseServeOptions({ port: 0, db: ":memory:", refresh: "off", logLevel: "silent" }),
      );
      await using client = new CatalogClient(catalog.url);
      const url = `http://127.0.0.1:${port}/`;
      while (
        await fetch(url).then(
          () => false,
          () => true,
        )
      );
      const { webhook } = await client.subscribe({ url, secret });
      const printed = once(receiver.stdout, "data");
      await client.testWebhook(webhook.id);
      expect(String((await printed)[0])).toBe("webhook.test -\n");
      const forged = await fetch(url, { method: "POST", body: "{}" });
      expect(forged.status).toBe(401);
    } finally {
      receiver.kill("SIGKILL");
      await ended;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
