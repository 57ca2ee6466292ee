/** Runs the import gate, as `npm run check:imports` does, over the `src` of any folder and gives what it found. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Breach {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

export interface Cruise {
  /** Files of `src` that were read, sorted, with forward slashes. */
  readonly sources: readonly string[];
  readonly breaches: readonly Breach[];
}

export async function cruise(folder: string): Promise<Cruise> {
  const text = await new Promise<string>((resolve, reject) => {
    const args = [
      "--import",
      `${root}test/architecture/typescript-6-hook.mjs`,
      `${root}node_modules/dependency-cruiser/bin/dependency-cruiser.mjs`,
      "--config",
      `${root}.dependency-cruiser.mjs`,
      "--output-type",
      "json",
      "src",
    ];
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      // The exit status counts breaches; only an answer that is no report is a failure of the gate itself.
      if (stdout.startsWith("{")) resolve(stdout);
      else reject(new Error(`dependency-cruiser gave no report: ${stderr}`, { cause: error }));
    });
  });
  const report = JSON.parse(text) as {
    modules: { source: string }[];
    summary: { violations: { from: string; to: string; rule: { name: string } }[] };
  };
  return {
    sources: report.modules
      .map((module) => module.source)
      .filter((source) => source.startsWith("src/"))
      .sort(),
    breaches: report.summary.violations.map(({ from, to, rule }) => ({ rule: rule.name, from, to })),
  };
}
