/**
 * A relay's badge as SVG, for its own pages: online and verified, two facts, each in words and one in colour. Pure. The only
 * foreign text in it is the id, which is escaped; it loads and runs nothing.
 */
import { escapeXml } from "../../http/index.ts";
import type { StandingOutput } from "../../spec/index.ts";

export const BADGE_TYPE = "image/svg+xml; charset=utf-8";

/** Seconds for which a badge may be kept: shorter than the time between two looks. */
export const BADGE_MAX_AGE_SECONDS = 120;

interface Face {
  readonly word: string;
  /** Dark enough for white text (WCAG 2.2, 1.4.3). */
  readonly colour: string;
}

const faces = {
  online: { word: "online", colour: "#1a7f37" },
  gated: { word: "needs a credential", colour: "#8a5a00" },
  offline: { word: "offline", colour: "#b62324" },
  unlisted: { word: "not listed", colour: "#57606a" },
} as const satisfies Record<string, Face>;

const LABEL = "MCP";
const LABEL_COLOUR = "#24292f";
const HEIGHT = 20;
/** Pixels of a character at 11 pixels, and beside a text; `textLength` makes every font fit. */
const CHAR = 6.5;
const PADDING = 6;

/** One badge for each answer: the same facts are the same bytes. */
export function badge({ relay, standing }: StandingOutput): string {
  const face = faceOf(standing);
  const verified = standing === null ? null : standing.verified ? "verified" : "unverified";
  const words = verified === null ? face.word : `${face.word} · ${verified}`;
  const title = escapeXml(`${relay}: ${words.replace(" · ", ", ")}`);
  const left = widthOf(LABEL);
  const right = widthOf(words);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<rect width="${left + right}" height="${HEIGHT}" rx="3" fill="${face.colour}"/>`,
    `<path d="M3 0h${left - 3}v${HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="${LABEL_COLOUR}"/>`,
    `<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" aria-hidden="true">`,
    textAt(LABEL, 0),
    textAt(words, left),
    "</g></svg>",
  ].join("");
}

function faceOf(standing: StandingOutput["standing"]): Face {
  if (standing === null) return faces.unlisted;
  if (standing.online) return faces.online;
  return standing.state === "auth-required" ? faces.gated : faces.offline;
}

function textAt(text: string, x: number): string {
  return `<text x="${x + PADDING}" y="14" textLength="${widthOf(text) - 2 * PADDING}">${text}</text>`;
}

function widthOf(text: string): number {
  return Math.round(text.length * CHAR) + 2 * PADDING;
}
