/** A result as a row: a relay or a tool, with why it is there. Foreign words all of it. */
import { html } from "hono/html";
import type { FoundTool, RelaySummary } from "../../spec/index.ts";
import { amount, code, type Markup, number, relayPath, said, tagPath, toolPath } from "./markup.ts";
import { type Reason, reasonsFor } from "./reasons.ts";
import { standing } from "./standing.ts";
import { authWords } from "./words.ts";

/** Characters of a description in a row; two lines show. */
const MAX_TEXT = 240;
/** Room for this many names; one more than fits is named too, since "and 1 more" takes no less room. */
const MAX_TOOL_NAMES = 6;
const MAX_TAGS = 6;

export function relayRow(relay: RelaySummary, q: string): Markup {
  const { id, name, description, tools, tags } = relay;
  const reasons = q === "" ? [] : reasonsFor(relay, q);
  return html`<li class="row">
<div class="row-text">
<div class="row-head"><h3><a href="${relayPath(id)}">${said(name ?? id, 120)}</a></h3>${name === id || name === null ? "" : html`<p class="id">${code(id, 120)}</p>`}</div>
${description === null ? "" : html`<p class="about">${said(description, MAX_TEXT)}</p>`}
<p class="names">${tools.length === 0 && !relay.online ? "No tools known" : toolNames(tools)}</p>
${reasons.length === 0 ? "" : html`<p class="why">${reasons.map(why)}</p>`}
${tags.length === 0 ? "" : html`<ul class="tags">${tags.slice(0, MAX_TAGS).map((tag) => html`<li><a class="tag" href="${tagPath(tag)}">${said(tag, 40)}</a></li>`)}</ul>`}
</div>
<p class="facts">${standing(relay)}<span class="fact">${authLine(relay.auth)}</span></p>
</li>
`;
}

export function toolRow(tool: FoundTool): Markup {
  const { relay, name, title, description, matched } = tool;
  return html`<li class="row">
<div class="row-text">
<div class="row-head"><h3><a href="${toolPath(relay, name, "tools")}">${said(title ?? name, 120)}</a></h3><p class="id">${title === undefined || title === name ? "" : html`${code(name, 120)} `}on <a href="${relayPath(relay)}">${said(relay, 120)}</a></p></div>
${description === undefined ? "" : html`<p class="about">${said(description, MAX_TEXT)}</p>`}
<p class="why">${matched.length === 0 ? "Because of words that mean the same" : html`Because of ${matched.slice(0, 12).map((word) => html`<mark>${said(word, 40)}</mark> `)}`}</p>
</div>
<p class="facts">${standing(tool)}<span class="fact">${authLine(tool.auth)}</span></p>
</li>
`;
}

function toolNames(names: readonly string[]): Markup {
  const shown = names.slice(0, names.length === MAX_TOOL_NAMES + 1 ? MAX_TOOL_NAMES + 1 : MAX_TOOL_NAMES);
  const more = names.length - shown.length;
  return html`${number(names.length, "tool")}${shown.length === 0 ? "" : html`: ${shown.map((name, at) => html`${at === 0 ? "" : ", "}${code(name, 40)}`)}${more > 0 ? ` and ${amount(more)} more` : ""}`}`;
}

function why({ word, where, what }: Reason): Markup {
  const place =
    where === "tool" || where === "tag" ? html`its ${where} ${code(what ?? "", 60)}` : html`its ${where}`;
  return html`<span><mark>${said(word, 40)}</mark> in ${place}</span> `;
}

function authLine(auth: string): string {
  if (auth === "none") return "no credential needed";
  const words = authWords[auth as keyof typeof authWords] ?? auth;
  return `credential: ${words === "Not stated" ? "unstated" : words}`;
}
