/** A real Chromium for tests of pages, and what they all ask of one: axe-core's verdict. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import chromium from "@sparticuz/chromium";
import { type Browser, type Page, chromium as playwright } from "playwright-core";

/** Evaluated, and not loaded: a page's policy stays what it is, and is held meanwhile. */
const axe = `{${readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")}\n}`;

/** Colours on their way are nobody's: after two frames all of them have started. What moves without end is not waited for. */
const SETTLED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
  Promise.allSettled(
    document.getAnimations()
      .filter((each) => each.effect.getComputedTiming().endTime < Infinity)
      .map((each) => each.finished),
  ).then(() => null))`;

/** Starts one; the caller closes it. The package's own arguments are for one page in one process: two of them break a second page. */
export async function launchBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((arg) => !/single-process|no-zygote/.test(arg)),
    headless: true,
  });
}

/**
 * What axe-core finds on the page as it stands, in one line each. `rules`: only these, where a page was asked all others before.
 */
export async function accessibilityFindings(
  page: Page,
  rules: readonly string[] = [],
): Promise<readonly string[]> {
  await page.evaluate(SETTLED);
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe);
  return page.evaluate(async (only) => {
    const { axe: run } = globalThis as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await run.run(only.length === 0 ? {} : { runOnly: only });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`),
    );
  }, rules);
}
