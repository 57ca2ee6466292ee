/** The one style sheet, inline, and the policy that allows it by its hash and nothing else (CSP level 3). */
import { hash } from "node:crypto";

export const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); --soft: color-mix(in srgb, currentColor 72%, transparent); --accent: light-dark(#0b57a4, #8ec5ff); --good: light-dark(#17692f, #7fd79a); }
* { box-sizing: border-box; }
body { max-width: 52rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); }
h1 { font-size: 1.6rem; margin: 0; line-height: 1.2; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
.soft { color: var(--soft); }
form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin: 1.4rem 0 0; align-items: end; }
form label:first-child { flex: 1 1 20rem; }
form label:has([type=checkbox]) { flex: 0 1 auto; margin-right: auto; padding: .5rem 0; }
@media (max-width: 44rem) { form label:first-child { flex-basis: 100%; } }
input, button, select { font: inherit; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: .4rem; background: transparent; color: inherit; max-width: 100%; }
input[type=search] { width: 100%; display: block; }
::placeholder { color: var(--soft); opacity: 1; }
button { cursor: pointer; font-weight: 600; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
ol, ul.plain { list-style: none; margin: 0; padding: 0; }
li.card { border-top: 1px solid var(--line); padding: .9rem 0; }
li.card p { margin: .25rem 0 0; }
.facts { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .3rem 0 0; font-size: .9rem; }
.yes { color: var(--good); font-weight: 600; }
code, pre { font: .9rem/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .8rem; border: 1px solid var(--line); border-radius: .4rem; }
`;

/** Nothing but this page's own style and its own form: no script, no request to anywhere. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
