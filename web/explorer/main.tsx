/** Starts the Explorer: connects to what the page was served for, or asks where to. */
// First of all.
import "./without-eval.ts";
import "../design/tokens.css";
import "../design/base.css";
import "./explorer.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { followRoute } from "./route.ts";
import { createSession } from "./session.ts";
import { readSettings } from "./settings.ts";
import { targetOf } from "./views/connect.tsx";

const page = new URL(location.href);
const settings = readSettings(document);
const session = createSession(settings, page);
followRoute();

const root = document.getElementById("explorer");
if (root !== null) render(<App session={session} />, root);

const relay = page.searchParams.get("relay");
const named = relay === null ? null : targetOf(relay, settings.catalog !== null);
if (settings.endpoint !== null) void session.connect({ kind: "direct", endpoint: settings.endpoint });
// A link may lead to a relay of this catalog; an endpoint elsewhere is for the person to choose.
else if (named?.kind === "forwarded") void session.connect(named);

addEventListener("pagehide", () => void session.disconnect());
