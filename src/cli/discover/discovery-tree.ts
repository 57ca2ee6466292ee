/**
 * A discovery as a tree that a person understands: what is published where, what is wrong with it and the cure, what runs, what
 * contradicts. Documents stand under the catalog that leads to them, servers under the document that speaks of them.
 */
import type {
  Contradiction,
  DanglingEntry,
  DiscoveredDocument,
  DiscoveredServer,
  Discovery,
  DiscoveryRequest,
} from "../../discovery/index.ts";
import { type Diagnostic, diagnosticRules } from "../../spec/index.ts";
import { count } from "../format/facts.ts";
import { MAX_TREE_BRANCHES, MAX_TREE_FINDINGS, TEXT_COLUMNS } from "../limits.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { wrap } from "../terminal/text-width.ts";
import { type TreeNode, treeLines } from "../terminal/tree.ts";
import { findingsOf } from "./findings.ts";

export function discoveryTree(found: Discovery, style: Style): string {
  const shown = new Set<DiscoveredServer>();
  const dangling = new Set(found.dangling.map(({ url }) => url));
  const view: View = { found, style, shown, dangling, origin: new URL(found.url).origin };
  const tops = found.documents.filter((document) => parentOf(document) === null);
  const children = [
    ...branches(tops, { view, draw: documentNode }),
    ...found.servers
      .filter(({ documents }) => documents.length === 0)
      .map((server) => serverNode(server, view)),
    ...found.requests
      .filter((request) => noEvidence(request) && !view.dangling.has(request.url))
      .map((request) => requestNode(request, view)),
    ...nothingNode(view),
  ];
  const lines = treeLines({ text: style.heading(printableLine(found.url)), children });
  const cuts = found.cuts.map(({ message }) => `${style.warn("!")} ${printableLine(message)}`);
  return [...lines, "", ...cuts, summary(found, style)].join("\n");
}

interface View {
  readonly found: Discovery;
  readonly style: Style;
  /** Servers that were drawn in full. */
  readonly shown: Set<DiscoveredServer>;
  /** URLs that are told under the catalogs that lead there. */
  readonly dangling: ReadonlySet<string>;
  readonly origin: string;
}

/** The catalog under which a document stands; null at the top. */
function parentOf({ routes }: DiscoveredDocument): string | null {
  return routes.some(({ through }) => through.length === 0) ? null : (routes[0]?.through.at(-1) ?? null);
}

function documentNode(document: DiscoveredDocument, view: View): TreeNode {
  const { style, found } = view;
  const { url, answeredBy, diagnostics, stale } = document;
  const redirected = url.split("#")[0] === answeredBy ? "" : ` → ${place(answeredBy, view)}`;
  const notes = [
    ...(stale ? [style.warn("as it was read before: it can't be read now")] : []),
    ...(document.conformant ? [] : [document.usable ? "not conformant, usable all the same" : "of no use"]),
  ];
  const note = notes.length === 0 ? "" : `  ${style.quiet(`(${notes.join("; ")})`)}`;
  const inner = found.documents.filter((one) => parentOf(one) === url);
  return {
    text: `${mark(document, style)} ${kindOf(document)}  ${style.quiet(place(url, view) + redirected)}${note}`,
    children: [
      ...diagnosticNodes(diagnostics, style),
      ...branches(inner, { view, draw: documentNode }),
      ...branches(
        found.dangling.filter(({ listedBy }) => listedBy === url),
        { view, draw: danglingNode },
      ),
      ...alsoListed(document, view),
      ...otherNodes(document, view),
      ...branches(serversOf(document, found), { view, draw: serverNode }),
    ],
  };
}

function kindOf(document: DiscoveredDocument): string {
  switch (document.kind) {
    case "descriptor":
      return "OpenMCP descriptor";
    case "catalog": {
      const { dialect, total } = document.catalog;
      return `${dialect === "ai-catalog" ? "AI Catalog" : "MCP Catalog"}, ${count(total, "entry", "entries")}`;
    }
    case "server-card":
      return `${cardWord(document.shape)} of ${printableLine(document.card.name)}`;
    case "unusable":
      return "A document that can't be used";
  }
}

function cardWord(shape: string): string {
  if (shape === "registry") return "server.json";
  return shape === "v1" ? "Server Card" : "Server Card in an older shape";
}

function mark({ conformant, usable, diagnostics }: DiscoveredDocument, style: Style): string {
  if (!usable || diagnostics.some(({ severity }) => severity === "error")) return style.bad("✗");
  return conformant && diagnostics.every(({ severity }) => severity === "info")
    ? style.good("✓")
    : style.warn("!");
}

function diagnosticNodes(diagnostics: readonly Diagnostic[], style: Style): readonly TreeNode[] {
  const told = diagnostics.filter(({ severity }) => severity !== "info");
  const nodes = told.slice(0, MAX_TREE_FINDINGS).map(({ severity, pointer, message, code }) => {
    const sign = severity === "error" ? style.bad("✗") : style.warn("!");
    const where = pointer === "" ? "" : `${printableLine(pointer)}: `;
    const cure = diagnosticRules[code].cure;
    return {
      text: `${sign} ${where}${printableLine(message)} ${style.quiet(`[${code}]`)}\n  ${style.quiet(`→ ${cure}`)}`,
    };
  });
  const left = told.length - nodes.length;
  return left === 0
    ? nodes
    : [...nodes, { text: style.quiet(`… ${left} more: openmcp lint tells them all`) }];
}

function danglingNode({ identifier, url, result, outcome }: DanglingEntry, view: View): TreeNode {
  const { style } = view;
  const where = style.quiet(place(url, view));
  const why = result === "nothing" ? outcome : `${result}: ${outcome}`;
  return {
    text: `${style.bad("✗")} ${printableLine(identifier)} leads to no document  ${where}  ${printableLine(why)}\n  ${style.quiet(`→ ${mends[result]}`)}`,
  };
}

const GONE = "Publish its document there, or take the entry out";

const mends: Readonly<Record<DanglingEntry["result"], string>> = {
  found: GONE,
  unchanged: GONE,
  nothing: GONE,
  denied: "Let anyone read it, without a credential",
  later: "Mend what serves it: until then nobody finds the server",
  unreachable: "Name a host that can be reached",
  blocked: "Name an address on the public internet",
  "too-large": "Split it; a catalog can have nested catalogs",
};

/** Cards that this catalog lists as well, and that stand under another. */
function alsoListed({ url }: DiscoveredDocument, { found, style }: View): readonly TreeNode[] {
  const names = found.documents.flatMap((one) =>
    one.kind === "server-card" &&
    parentOf(one) !== url &&
    one.routes.some(({ through }) => through.at(-1) === url)
      ? [printableLine(one.card.name)]
      : [],
  );
  if (names.length === 0) return [];
  const more = names.length > MAX_TREE_FINDINGS ? ` and ${names.length - MAX_TREE_FINDINGS} more` : "";
  const told = names.slice(0, MAX_TREE_FINDINGS).join(", ");
  return [{ text: style.quiet(`· lists ${told}${more} too`) }];
}

function otherNodes(document: DiscoveredDocument, { found, style }: View): readonly TreeNode[] {
  const others = found.others.filter(({ listedBy }) => listedBy === document.url);
  if (others.length === 0) return [];
  const types = [...new Set(others.map(({ type }) => printableLine(type)))].slice(0, 3).join(", ");
  const what =
    others.length === 1
      ? "1 entry that is no MCP server"
      : `${others.length} entries that are no MCP servers`;
  return [{ text: style.quiet(`· ${what}: ${types}`) }];
}

function serversOf({ url }: DiscoveredDocument, { servers }: Discovery): readonly DiscoveredServer[] {
  return servers.filter(({ documents }) => documents.includes(url));
}

function serverNode(server: DiscoveredServer, view: View): TreeNode {
  const { style, shown } = view;
  const again = shown.has(server);
  shown.add(server);
  const text = stateLine(server, style);
  if (again) return { text: `${text}  ${style.quiet("(as above)")}` };
  const { names, contradictions, live } = server;
  return {
    text,
    children: [
      ...(names.length > 1
        ? [
            {
              text: style.quiet(
                `· one server under ${names.length} names: ${names.map(printableLine).join(", ")}`,
              ),
            },
          ]
        : []),
      ...chainNodes(server, style),
      ...contradictions.map((one) => contradictionNode(one, style)),
      ...(live?.notes ?? [])
        .slice(0, MAX_TREE_FINDINGS)
        .map((note) => ({ text: style.quiet(`· ${printableLine(note)}`) })),
    ],
  };
}

function stateLine({ endpoint, missing, live, remote }: DiscoveredServer, style: Style): string {
  const at = printableLine(endpoint ?? remote?.url ?? "");
  if (endpoint === null) {
    if (missing.length === 0) return `${style.quiet("–")} names no endpoint to connect to`;
    const wanted = missing
      .map(({ name, message }) => `${printableLine(name)} (${printableLine(message)})`)
      .join(", ");
    const flags = missing.map(({ name }) => `--input ${printableLine(name)}=…`).join(" ");
    return `${style.warn("?")} ${at} lacks ${wanted}\n  ${style.quiet(`→ ${flags}`)}`;
  }
  if (live === null) return `${style.quiet("–")} ${at}  ${style.quiet("not asked whether it runs")}`;
  if (live.state === "online") {
    const server =
      live.server?.name == null
        ? ""
        : `, ${printableLine(live.server.name)} ${printableLine(live.server.version ?? "")}`.trimEnd();
    const tools = live.tools === null ? "" : `, ${count(live.tools.length, "tool")}`;
    return `${style.good("✓ runs")} at ${at}  ${style.quiet(`MCP ${printableLine(live.era ?? "of an unknown revision")}${tools}${server}`)}`;
  }
  const why = live.error === null ? "" : `: ${printableLine(live.error)}`;
  if (live.state === "auth-required") return `${style.warn("✓ runs")} at ${at}, and wants a credential`;
  return `${style.bad("✗ does not run")} at ${at} (${live.state})${why}`;
}

/** Only where more than one party is in it: else it says nothing that the tree does not. */
function chainNodes({ chains }: DiscoveredServer, style: Style): readonly TreeNode[] {
  const told = new Set<string>();
  for (const { listedBy, hostedBy, runsAt } of chains) {
    const hosts = [listedBy, hostedBy, runsAt].map((url) =>
      url === null ? null : printableLine(new URL(url).host),
    );
    if (new Set(hosts.filter((host) => host !== null)).size < 2) continue;
    const [lister, holder, runner] = hosts;
    const parts = [
      ...(lister == null ? [] : [`listed by ${lister}`]),
      `hosted by ${holder}`,
      ...(runner == null ? [] : [`runs at ${runner}`]),
    ];
    told.add(parts.join(", "));
  }
  return [...told].map((line) => ({ text: style.quiet(`· ${line}`) }));
}

function contradictionNode({ about, message, saidBy }: Contradiction, style: Style): TreeNode {
  const cure = style.quiet(`→ ${cures[about]} (${printableLine(saidBy)})`);
  // That it does not run is told already.
  if (about === "reachable") return { text: cure };
  return { text: `${style.bad("✗")} ${printableLine(message)}\n  ${cure}` };
}

const cures: Readonly<Record<Contradiction["about"], string>> = {
  name: "Name it in the document as it names itself, or the other way round",
  version: "Publish the document anew with each release",
  "listed-name": "List it by the name that its card has",
  "listed-version": "Leave the version out of the entry, or publish the catalog with each release",
  transport: "Name the transport that it speaks",
  "protocol-version": "Name the protocol versions that it speaks",
  auth: "Say which credential it wants",
  tools: "Name the tools that it lists, or none",
  endpoint: "Name the endpoint that answers",
  reachable: "Start the server, or take it out of the document",
};

/** Places that gave no evidence, which is not "nothing". */
function noEvidence({ result }: DiscoveryRequest): boolean {
  return result === "denied" || result === "later" || result === "unreachable" || result === "blocked";
}

function requestNode({ url, result, outcome }: DiscoveryRequest, view: View): TreeNode {
  const { style } = view;
  return {
    text: `${style.warn("!")} ${style.quiet(place(url, view))}  ${result}: ${printableLine(outcome)}`,
  };
}

function nothingNode(view: View): readonly TreeNode[] {
  const { found, dangling } = view;
  const empty = found.requests.filter(
    ({ result, step, url }) => result === "nothing" && step !== "page" && !dangling.has(url),
  );
  if (empty.length === 0) return [];
  const places = empty.slice(0, MAX_TREE_FINDINGS).map(({ url }) => place(url, view));
  const more = empty.length > places.length ? ` and ${empty.length - places.length} more` : "";
  // Under a branch's sign, and below each other where there are many.
  const lines = wrap(`nothing at ${places.join(", ")}${more}`, TEXT_COLUMNS - 6);
  return [{ text: lines.map((line, at) => view.style.quiet(`${at === 0 ? "–" : " "} ${line}`)).join("\n") }];
}

/** On the origin that was asked, the path is enough. */
function place(url: string, { origin }: View): string {
  return printableLine(url.startsWith(`${origin}/`) ? url.slice(origin.length) : url);
}

function branches<T>(
  things: readonly T[],
  { view, draw }: { readonly view: View; readonly draw: (thing: T, view: View) => TreeNode },
): readonly TreeNode[] {
  const drawn = things.slice(0, MAX_TREE_BRANCHES).map((thing) => draw(thing, view));
  const left = things.length - drawn.length;
  return left === 0 ? drawn : [...drawn, { text: view.style.quiet(`… ${left} more: --json has them all`) }];
}

function summary(found: Discovery, style: Style): string {
  const { running, gated, down, notAsked, errors, warnings, contradictions, dangling } = findingsOf(found);
  if (found.verdict === "nothing") return `${style.bad("✗")} Nothing is published here about MCP servers.`;
  if (found.verdict === "unknown") {
    const refused = found.requests.every(({ result }) => result === "blocked" || result === "nothing");
    return `${style.bad("✗")} Nothing was found, ${refused ? "and not all that was to be asked may be." : "and not all that was asked answered. Try again later."}`;
  }
  const parts = [
    count(found.documents.length, "document"),
    `${count(found.servers.length, "server")}${found.servers.length === 0 ? "" : `: ${states({ running, gated, down, notAsked })}`}`,
  ];
  const wrong = [
    ...(errors === 0 ? [] : [count(errors, "error")]),
    ...(warnings === 0 ? [] : [count(warnings, "warning")]),
    ...(contradictions === 0 ? [] : [count(contradictions, "contradiction")]),
    ...(dangling === 0 ? [] : [count(dangling, "entry that leads nowhere", "entries that lead nowhere")]),
  ];
  const bad = errors + contradictions + down + dangling > 0;
  return `${bad ? style.bad("✗") : style.good("✓")} ${parts.join("; ")}. ${wrong.length === 0 ? "Nothing contradicts." : `${wrong.join(", ")}.`}`;
}

function states(counts: Readonly<Record<"running" | "gated" | "down" | "notAsked", number>>): string {
  const told = [
    ["running", counts.running],
    ["wanting a credential", counts.gated],
    ["down", counts.down],
    ["not asked", counts.notAsked],
  ] as const;
  return told.flatMap(([state, number]) => (number === 0 ? [] : [count(number, state, state)])).join(", ");
}
