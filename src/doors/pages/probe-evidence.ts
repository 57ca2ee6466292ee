/** The evidence of a look: each step as it was done, and what came of it. */
import { html } from "hono/html";
import type { ProbeState, ProbeStep } from "../../spec/index.ts";
import { code, type Markup, said, sentence } from "./markup.ts";
import { stateWords } from "./words.ts";

const SIGNS = { good: "✓", none: "–", bad: "✕" } as const;

export function stepItem({ step, method, url, status, ms, outcome, ok }: ProbeStep): Markup {
  // A document that is not published is no failure.
  const kind = ok ? "good" : method === "GET" && status === 404 ? "none" : "bad";
  return html`<li class="step ${kind}"><span class="sign" aria-hidden="true">${SIGNS[kind]}</span><div><p><strong>${said(sentence(step).replace(/\.$/, ""), 80)}</strong> <span class="soft">${method === "" || method === step ? "" : html`${method} `}${code(url, 200)}${status === null ? "" : ` ${status}`}, ${Math.round(ms)} ms</span></p><p>${said(sentence(outcome), 600)}</p></div></li>
`;
}

/** Why a relay is not online, and the cure; nothing for one that is. */
export function whyOffline(state: ProbeState, error: string | null): Markup {
  const { word, why, cure } = stateWords[state];
  if (why === "") return "";
  return html`<section class="note ${state === "auth-required" ? "warn" : "bad"}" aria-labelledby="why">
<h2 id="why">${state === "auth-required" ? "It wants a credential" : html`Why it is offline: ${word.toLowerCase()}`}</h2>
<p>${why}</p>
${error === null || error === "" ? "" : html`<p class="said"><span class="soft">What the last look found:</span> ${said(sentence(error), 1_000)}</p>`}
<p>${cure}</p>
</section>
`;
}
