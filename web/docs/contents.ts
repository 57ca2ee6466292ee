/**
 * Which pages the docs have and in which order a reader meets them. The build refuses a page of docs/ that is not named here,
 * so none is out of reach; decisions are found from their own index.
 */
export interface Group {
  readonly title: string;
  /** Paths from the repository's root, without `.md`. */
  readonly pages: readonly string[];
}

export const START = "README";

export const contents: readonly Group[] = [
  {
    title: "Use a catalog",
    pages: [
      "docs/directory",
      "docs/call-a-tool",
      "docs/connect",
      "docs/install",
      "docs/explorer",
      "docs/register",
      "docs/openapi",
      "docs/watch-changes",
      "docs/history",
      "docs/webhooks",
    ],
  },
  {
    title: "Publish a server",
    pages: [
      "docs/kit",
      "docs/kit-scale",
      "docs/examples",
      "docs/testing",
      "docs/discover",
      "docs/diagnostics",
    ],
  },
  {
    title: "Run a catalog",
    pages: [
      "docs/run-a-catalog",
      "docs/import",
      "docs/publish",
      "docs/operate",
      "docs/how-relays-are-watched",
      "docs/fair-use",
      "docs/peers",
      "docs/performance",
    ],
  },
  {
    title: "Look it up",
    pages: ["docs/cli", "docs/rest", "docs/errors", "docs/real-servers"],
  },
  {
    title: "Change it",
    pages: ["ARCHITECTURE", "docs/develop", "docs/dependencies", "docs/decisions/README"],
  },
];

/** Folders whose pages need no entry of their own: their README lists them. */
export const listedElsewhere: readonly string[] = ["docs/decisions/"];
