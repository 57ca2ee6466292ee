/**
 * `npm run docs`: the pages of docs/ as a static site in `dist/web/docs`, readable without script, on any host and under any
 * prefix: every link is relative. Beside each page lies its Markdown; `llms.txt` lists them and `llms-full.txt` is all of them,
 * for programs that read. A link that leads nowhere, and a page that no list names, end the build.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { Marked, type Token, type Tokens } from "marked";
import { contents, listedElsewhere, START } from "../web/docs/contents.ts";
import { docsPage, escapeHtml, type NavLink } from "../web/docs/page.ts";

const root = join(import.meta.dirname, "..");

interface Page {
  /** From the repository's root, without `.md`: `docs/register`. */
  readonly name: string;
  readonly markdown: string;
  readonly title: string;
  readonly description: string;
  /** Where it is in the site, without its ending: `register`, `decisions/index`. */
  readonly place: string;
}

/**
 * Writes the site to `folder`, which is emptied first; resolves with how many pages it has.
 * @throws Error naming the page, for a lost link or a page that is out of reach.
 */
export async function buildDocs(folder: string): Promise<number> {
  const listed = [START, ...contents.flatMap((group) => group.pages)];
  const found = (await readdir(join(root, "docs"), { recursive: true }))
    .filter((path) => path.endsWith(".md"))
    .map((path) => posix.join("docs", path.replaceAll("\\", "/")).slice(0, -".md".length));
  const lost = found.filter(
    (name) => !listed.includes(name) && !listedElsewhere.some((start) => name.startsWith(start)),
  );
  if (lost.length > 0) throw new Error(`web/docs/contents.ts does not name ${lost.join(", ")}`);
  const rest = found.filter((name) => !listed.includes(name)).sort();
  const pages = new Map<string, Page>();
  for (const name of [...listed, ...rest]) pages.set(name, await readPage(name));

  await rm(folder, { recursive: true, force: true });
  for (const page of pages.values()) {
    const place = join(folder, page.place);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(`${place}.html`, pageHtml(page, pages, listed));
    await writeFile(`${place}.md`, moveLinks(page, pages));
  }
  const styles = ["design/tokens.css", "design/base.css", "docs/docs.css"];
  const css = await Promise.all(styles.map((path) => readFile(join(root, "web", path), "utf8")));
  await writeFile(join(folder, "docs.css"), css.join("\n"));
  await writeFile(join(folder, "llms.txt"), overview(pages));
  const full = [...pages.values()].map((page) => moveLinks(page, pages).trim());
  await writeFile(join(folder, "llms-full.txt"), `${full.join("\n\n---\n\n")}\n`);
  return pages.size;
}

async function readPage(name: string): Promise<Page> {
  const markdown = await readFile(join(root, `${name}.md`), "utf8");
  const tokens = new Marked().lexer(markdown);
  const heading = tokens.find((token): token is Tokens.Heading => token.type === "heading");
  const first = tokens.find((token): token is Tokens.Paragraph => token.type === "paragraph");
  if (heading === undefined || first === undefined) throw new Error(`${name}.md has no title or no text`);
  const inDocs = name.startsWith("docs/") ? name.slice("docs/".length) : name.toLowerCase();
  return {
    name,
    markdown,
    title: name === START ? "OpenMCP" : plain(heading.tokens),
    description: firstSentence(plain(first.tokens)),
    place: name === START ? "index" : inDocs.replace(/(^|\/)README$/, "$1index"),
  };
}

function pageHtml(page: Page, pages: ReadonlyMap<string, Page>, order: readonly string[]): string {
  const link = (name: string): NavLink => {
    const to = pageNamed(pages, name);
    return { title: name === START ? "Overview" : to.title, href: hrefTo(page, to), current: to === page };
  };
  const at = order.indexOf(page.name);
  const beside = (name: string | undefined) => (at < 0 || name === undefined ? null : link(name));
  return docsPage({
    title: page.title,
    description: page.description,
    body: bodyHtml(page, pages),
    nav: [
      { title: "", links: [link(START)] },
      ...contents.map(({ title, pages: names }) => ({ title, links: names.map(link) })),
    ],
    root: "../".repeat(page.place.split("/").length - 1),
    source: `${posix.basename(page.place)}.md`,
    previous: beside(order[at - 1]),
    next: beside(order[at + 1]),
  });
}

function bodyHtml(page: Page, pages: ReadonlyMap<string, Page>): string {
  const used = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        const id = anchor(plain(tokens), used);
        return `<h${depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(plain(tokens))}”">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const to = resolveLink(page, href, pages);
        // A path says less than the title of what is there.
        const target = plain(tokens) === href ? linkedPage(page, href, pages) : null;
        const inner = target === null ? this.parser.parseInline(tokens) : escapeHtml(target.title);
        return to === null ? inner : `<a href="${escapeHtml(to)}">${inner}</a>`;
      },
      code({ text }) {
        // What scrolls sideways can be reached with the keyboard.
        return `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`;
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td") =>
          `<tr>${cells.map((cell) => `<${tag}${tag === "th" ? ' scope="col"' : ""}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${token.rows.map((cells) => row(cells, "td")).join("\n")}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(page.markdown, { async: false }).trim();
}

/** The page's Markdown with links that hold in the site. */
function moveLinks(page: Page, pages: ReadonlyMap<string, Page>): string {
  return page.markdown.replace(/\]\((?!https?:|#|mailto:)([^)\s]+)\)/g, (whole, href: string) => {
    const to = resolveLink(page, href, pages);
    return to === null ? whole : `](${to.replace(/\.html(?=#|$)/, ".md")})`;
  });
}

/**
 * Where a link of a page leads in the site; null for what is not in it, such as a source file.
 * @throws Error when nothing of that name is a page, though it says it is one.
 */
function resolveLink(page: Page, href: string, pages: ReadonlyMap<string, Page>): string | null {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const fragment = /#.*/.exec(href)?.[0] ?? "";
  const to = linkedPage(page, href, pages);
  return to === null ? null : `${hrefTo(page, to)}${fragment}`;
}

/** The page that a relative link names; null when it names no Markdown. */
function linkedPage(page: Page, href: string, pages: ReadonlyMap<string, Page>): Page | null {
  const [path = ""] = href.split("#", 1);
  if (!path.endsWith(".md")) return null;
  return pageNamed(pages, posix.join(posix.dirname(page.name), path).slice(0, -".md".length), page);
}

function pageNamed(pages: ReadonlyMap<string, Page>, name: string, from?: Page): Page {
  const page = pages.get(name);
  if (page === undefined) {
    throw new Error(
      `${from === undefined ? "web/docs/contents.ts" : `${from.name}.md`} names ${name}.md, which is no page`,
    );
  }
  return page;
}

function hrefTo(from: Page, to: Page): string {
  return `${posix.relative(posix.dirname(from.place), to.place) || posix.basename(to.place)}.html`;
}

/** llms.txt: a title, a summary, and lists of links to Markdown. */
function overview(pages: ReadonlyMap<string, Page>): string {
  const start = pageNamed(pages, START);
  const line = (name: string) => {
    const { title, place, description } = pageNamed(pages, name);
    return `- [${title}](${place}.md): ${description}`;
  };
  const groups = contents.map(({ title, pages: names }) => `## ${title}\n\n${names.map(line).join("\n")}\n`);
  return `# OpenMCP\n\n> ${start.description}\n\nEverything in one file: [llms-full.txt](llms-full.txt)\n\n${groups.join("\n")}`;
}

/** The anchor that a heading has where Markdown is shown in a repository, so that links hold in both places. */
function anchor(text: string, used: Map<string, number>): string {
  const base = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
  const times = used.get(base) ?? 0;
  used.set(base, times + 1);
  return times === 0 ? base : `${base}-${times}`;
}

function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      "tokens" in token && token.tokens !== undefined
        ? plain(token.tokens)
        : "text" in token
          ? String(token.text)
          : "",
    )
    .join("")
    .replace(/\s+/g, " ");
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

if (import.meta.main) {
  const folder = join(root, "dist", "web", "docs");
  const count = await buildDocs(folder);
  console.log(`${count} pages in dist/web/docs; open ${join("dist", "web", "docs", "index.html")}`);
}
