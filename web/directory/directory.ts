/**
 * What script adds to pages that work without it: results while one types, and buttons that copy. It asks the catalog for the same
 * page that the form would open, and takes over its results: no second way to render anything.
 */

/** Milliseconds without a key until the catalog is asked: the pause after a word. */
const PAUSE_MS = 180;

searchAsYouType();
offerCopies(document);

function searchAsYouType(): void {
  const form = document.querySelector<HTMLFormElement>(".directory form.search");
  const input = form?.querySelector<HTMLInputElement>("input[type=search]");
  const told = document.getElementById("told");
  const found = document.getElementById("found");
  if (form == null || input == null || told === null || found === null) return;

  let asked = input.value.trim();
  let timer = 0;
  let under = new AbortController();

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(false), PAUSE_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    void ask(true);
  });
  window.addEventListener("popstate", () => {
    input.value = new URL(location.href).searchParams.get("q") ?? "";
    void ask(false, location.href);
  });

  /** `kept`: the question was sent, and is a place to come back to. */
  async function ask(kept: boolean, at?: string): Promise<void> {
    const q = input?.value.trim() ?? "";
    if (q === asked && at === undefined && !kept) return;
    asked = q;
    under.abort();
    under = new AbortController();
    const { signal } = under;
    const url = at ?? urlOf(form as HTMLFormElement);
    (found as HTMLElement).setAttribute("aria-busy", "true");
    try {
      const response = await fetch(url, { headers: { accept: "text/html" }, signal });
      const text = await response.text();
      if (signal.aborted) return;
      const answer = new DOMParser().parseFromString(text, "text/html");
      const results = answer.getElementById("found");
      if (results === null) {
        (told as HTMLElement).textContent = answer.querySelector("main .lead")?.textContent ?? FAILED;
      } else {
        take(answer, results);
        if (at === undefined) history[kept ? "pushState" : "replaceState"](null, "", url);
      }
    } catch {
      if (signal.aborted) return;
      asked = "\0";
      (told as HTMLElement).textContent = FAILED;
    }
    (found as HTMLElement).removeAttribute("aria-busy");
  }

  function take(answer: Document, results: HTMLElement): void {
    const open = found?.querySelector<HTMLDetailsElement>("details.narrow")?.open ?? false;
    found?.replaceChildren(...results.childNodes);
    const narrow = found?.querySelector<HTMLDetailsElement>("details.narrow");
    if (narrow != null) narrow.open = open;
    (told as HTMLElement).textContent = answer.getElementById("told")?.textContent ?? "";
    document.title = answer.title;
    document.querySelector("main .use")?.toggleAttribute("hidden", asked !== "");
  }
}

const FAILED = "The catalog did not answer. Press Enter to ask again.";

/** The page that the form would open, without what is empty. */
function urlOf(form: HTMLFormElement): string {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && value.trim() !== "") url.searchParams.set(name, value.trim());
  }
  return url.href;
}

function offerCopies(within: ParentNode): void {
  if (!("clipboard" in navigator)) return;
  for (const button of within.querySelectorAll<HTMLButtonElement>("button.copy")) {
    const [word] = button.childNodes;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = button.parentElement?.querySelector("code")?.textContent ?? "";
      try {
        await navigator.clipboard.writeText(text);
        if (word != null) word.textContent = "Copied";
      } catch {
        if (word != null) word.textContent = "Select it";
        getSelection()?.selectAllChildren(button.parentElement?.querySelector("pre") ?? button);
      }
      setTimeout(() => {
        if (word != null) word.textContent = "Copy";
      }, 2_000);
    });
  }
}
