/** Whether a relay was up and how quickly it answered, drawn: each drawing with a sentence that says the same, and its numbers beside it. */
import { html } from "hono/html";
import type { HistoryOutput, LatencyTotal, StateSpan } from "../../spec/index.ts";
import { MAX_SPANS } from "./limits.ts";
import { exactTime, type Markup } from "./markup.ts";
import { stateWords } from "./words.ts";

const DAY = 24 * 60 * 60 * 1_000;
const STRIP_DAYS = 30;
/** Units of the drawings; they stretch to the width of the page. */
const WIDTH = 600;
const STRIP_HEIGHT = 20;
const CHART_HEIGHT = 64;
const LEAST_WIDTH = 2;

export function health(history: HistoryOutput, now: number): Markup {
  const { uptime, known } = history;
  return html`<dl class="numbers">
${windows.map(([key, words]) => html`<div><dt>${words}</dt><dd>${share(uptime[key])}</dd><dd class="soft">${uptime[key] === null ? "nobody looked" : knownWords(known[key])}</dd></div>`)}
</dl>
${strip(history, now)}
${latency(history.latency.hours)}`;
}

const windows = [
  ["day", "24 hours"],
  ["week", "7 days"],
  ["month", "30 days"],
] as const;

function share(value: number | null): string {
  if (value === null) return "not known";
  const percent = value * 100;
  // 100 % is said of what was never down, and of nothing else.
  return `${percent === 100 ? "100" : Math.min(99.99, percent).toFixed(percent > 99 ? 2 : 1)} %`;
}

function knownWords(value: number): string {
  if (value >= 0.995) return "watched throughout";
  const percent = Math.round(value * 100);
  return percent < 1 ? "of little time watched" : `${percent} % of it watched`;
}

function strip({ spans, uptime }: HistoryOutput, now: number): Markup {
  const start = now - STRIP_DAYS * DAY;
  const drawn = spans
    .filter(({ to }) => to === null || Date.parse(to) > start)
    .slice(-MAX_SPANS)
    .map((span) => rectOf(span, { start, now }));
  const said = `The last 30 days: online for ${share(uptime.month)} of the time that is known.`;
  return html`<figure class="strip"><svg viewBox="0 0 ${WIDTH} ${STRIP_HEIGHT}" preserveAspectRatio="none" width="${WIDTH}" height="${STRIP_HEIGHT}" role="img" aria-label="${said}"><rect class="unknown" width="${WIDTH}" height="${STRIP_HEIGHT}"/>${drawn}</svg>
<figcaption><span>30 days ago</span><span class="keys"><span class="key good">online</span><span class="key bad">not online</span><span class="key unknown">not known</span></span><span>now</span></figcaption></figure>
${
  spans.length === 0
    ? ""
    : html`<details class="raw"><summary>States it was found in</summary><table><thead><tr><th scope="col">State</th><th scope="col">From</th><th scope="col">Until</th></tr></thead><tbody>${spans
        .slice(-20)
        .reverse()
        .map(
          ({ state, from, to }) =>
            html`<tr><td>${stateWords[state].word}</td><td>${exactTime(from)}</td><td>${to === null ? "now" : exactTime(to)}</td></tr>`,
        )}</tbody></table></details>`
}`;
}

function rectOf(
  { state, from, to }: StateSpan,
  { start, now }: { readonly start: number; readonly now: number },
): Markup {
  const scale = WIDTH / (now - start);
  const begin = Math.max(0, (Date.parse(from) - start) * scale);
  const end = ((to === null ? now : Date.parse(to)) - start) * scale;
  // What was short is still there to be seen.
  const width = Math.max(LEAST_WIDTH, end - begin);
  const x = Math.min(begin, WIDTH - width);
  return html`<rect class="${state === "online" ? "good" : "bad"}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="${STRIP_HEIGHT}"/>`;
}

function latency(hours: readonly LatencyTotal[]): Markup {
  const answered = hours.filter(({ meanMs }) => meanMs !== null);
  if (answered.length === 0) return html`<p class="soft">It answered no look in the last 24 hours.</p>`;
  const most = Math.max(...answered.map(({ slowestMs }) => slowestMs ?? 0), 1);
  const mean =
    answered.reduce((sum, { meanMs, answered: looks }) => sum + (meanMs ?? 0) * looks, 0) /
    answered.reduce((sum, { answered: looks }) => sum + looks, 0);
  const last = Date.parse(answered.at(-1)?.at ?? "");
  const step = WIDTH / 24;
  const bars = answered.map(({ at, meanMs, slowestMs }) => {
    const x = WIDTH - step - ((last - Date.parse(at)) / (60 * 60 * 1_000)) * step;
    const bar = (ms: number | null, kind: string): Markup => {
      const height = Math.max(1, ((ms ?? 0) / most) * CHART_HEIGHT);
      return html`<rect class="${kind}" x="${(x + step * 0.15).toFixed(1)}" y="${(CHART_HEIGHT - height).toFixed(1)}" width="${(step * 0.7).toFixed(1)}" height="${height.toFixed(1)}"/>`;
    };
    return html`${bar(slowestMs, "slowest")}${bar(meanMs, "mean")}`;
  });
  const said = `Time to answer in the last 24 hours: ${milliseconds(mean)} on average, ${milliseconds(most)} at the slowest.`;
  return html`<figure class="latency"><figcaption>${said}</figcaption><svg viewBox="0 0 ${WIDTH} ${CHART_HEIGHT}" preserveAspectRatio="none" width="${WIDTH}" height="${CHART_HEIGHT}" role="img" aria-label="${said}">${bars}</svg>
<p class="axis"><span>24 hours ago</span><span class="keys"><span class="key mean">average</span><span class="key slowest">slowest</span></span><span>last look</span></p></figure>
<details class="raw"><summary>By the hour</summary><table><thead><tr><th scope="col">Hour</th><th scope="col">Looks</th><th scope="col">Answered</th><th scope="col">Average</th><th scope="col">Slowest</th></tr></thead><tbody>${hours.map(
    ({ at, looks, answered: up, meanMs, slowestMs }) =>
      html`<tr><td>${exactTime(at)}</td><td>${looks}</td><td>${up}</td><td>${meanMs === null ? "–" : milliseconds(meanMs)}</td><td>${slowestMs === null ? "–" : milliseconds(slowestMs)}</td></tr>`,
  )}</tbody></table></details>`;
}

function milliseconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
