/** An Explorer in a real browser, watched: what breaks its policy, what it logs as an error, whom it asks. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export interface Watched {
  readonly page: Page;
  /** Errors of the page and breaches of its policy, as they came. */
  readonly wrong: string[];
  /** Origins that were asked. */
  readonly asked: Set<string>;
}

export async function watchedPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // So that a step that fails is named, and not the test.
  page.setDefaultTimeout(8_000);
  const wrong: string[] = [];
  const asked = new Set<string>();
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("console", (message) => {
    // What a server answers is no fault of the page; what its policy refuses is.
    if (/Content Security Policy|Trusted|Refused/i.test(message.text())) wrong.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol === "http:" || protocol === "https:") asked.add(origin);
  });
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('Content Security Policy: ' + event.violatedDirective))",
  );
  return { page, wrong, asked };
}

/** Opens a place of the page; it is connected then. */
export async function openAt(page: Page, url: string, place = "tools"): Promise<void> {
  await page.goto(`${url}#/${place}`);
  await page.waitForSelector(".state.on");
}

export async function callTool(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Call the tool" }).click();
}
