/** One run of the official suite in server mode against a URL, and what its checks say. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
  readonly errorMessage?: string;
}

/** Scenario -> its checks. */
export type Results = ReadonlyMap<string, readonly Check[]>;

const root = fileURLToPath(new URL("../../", import.meta.url));

export async function runSuite(
  suite: string,
  { options, url }: { readonly options: readonly string[]; readonly url: string },
): Promise<Results> {
  const out = await mkdtemp(join(tmpdir(), "openmcp-conformance-"));
  try {
    const main = join(root, "node_modules", suite, "dist/index.js");
    const command = [main, "server", "--url", url, ...options, "-o", out];
    // Its exit code only says that something failed; what failed is in the files.
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, command, { timeout: 100_000 }, (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });
    const results = new Map<string, readonly Check[]>();
    for (const folder of await readdir(out)) {
      const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(folder)?.[1];
      if (scenario === undefined) throw new Error(`not a result of a scenario: ${folder}`);
      results.set(scenario, JSON.parse(await readFile(join(out, folder, "checks.json"), "utf8")));
    }
    if (results.size === 0) throw new Error(`${suite} ran nothing: ${output}`);
    return results;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

export const bad = (check: Check): boolean => check.status === "FAILURE" || check.status === "WARNING";

/** A success of the scenario's own, not the suite's look at every message's schema. */
export const own = (check: Check): boolean => check.status === "SUCCESS" && check.id !== "wire-schema-valid";
