/** The page: who is at the other end, the places there are, and the one that is open. */
import { useEffect } from "preact/hooks";
import { hrefOf, type Place, route } from "./route.ts";
import type { Session } from "./session.ts";
import { Guarded } from "./ui/guarded.tsx";
import { level } from "./ui/level.ts";
import { useValue } from "./ui/state.ts";
import { Name } from "./ui/texts.tsx";
import { ConnectView } from "./views/connect.tsx";
import { HistoryView } from "./views/history.tsx";
import { PromptsView } from "./views/prompts.tsx";
import { Questions } from "./views/questions.tsx";
import { ResourcesView } from "./views/resources.tsx";
import { ServerView } from "./views/server.tsx";
import { ToolsView } from "./views/tools.tsx";
import { WireView } from "./views/wire.tsx";

const LABELS: Readonly<Record<Place, string>> = {
  tools: "Tools",
  resources: "Resources",
  prompts: "Prompts",
  wire: "Wire",
  history: "History",
  server: "Server",
};

export function App({ session }: { readonly session: Session }) {
  const connection = useValue(session.connection);
  const { place, name } = useValue(route);
  const link = connection.state === "open" ? connection.link : null;
  const title = link?.server.name ?? session.settings.title;
  useEffect(() => {
    const what = link === null ? "" : `${name ?? LABELS[place]} · `;
    document.title = level(`${what}${title ?? "Explorer"}`).slice(0, 200);
  }, [link, place, name, title]);
  useEffect(() => {
    if (place !== "wire") scrollTo(0, 0);
    // On a narrow screen the places are wider than it.
    document.querySelector(".places [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [place, name]);
  return (
    <>
      <button type="button" class="skip" onClick={toMain}>
        Skip to the content
      </button>
      <Head session={session} title={title} lost={connection.state === "open" ? connection.lost : null} />
      {link === null ? (
        place === "wire" ? (
          <main id="main">
            <WireView session={session} />
          </main>
        ) : (
          <ConnectView session={session} connection={connection} />
        )
      ) : (
        <main id="main">
          <Guarded key={place} of={name}>
            {place === "tools" && <ToolsView session={session} link={link} chosen={name} />}
            {place === "resources" && <ResourcesView session={session} link={link} chosen={name} />}
            {place === "prompts" && <PromptsView session={session} link={link} chosen={name} />}
            {place === "wire" && <WireView session={session} />}
            {place === "history" && <HistoryView session={session} />}
            {place === "server" && <ServerView session={session} link={link} />}
          </Guarded>
        </main>
      )}
      <Questions session={session} />
    </>
  );
}

/** The fragment is the route: the skip link moves the focus itself. */
function toMain(): void {
  const main = document.getElementById("main");
  main?.setAttribute("tabindex", "-1");
  main?.focus();
}

function Head({
  session,
  title,
  lost,
}: {
  readonly session: Session;
  readonly title: string | null;
  readonly lost: string | null;
}) {
  const connection = useValue(session.connection);
  const frames = useValue(session.wire.frames);
  const calls = useValue(session.history);
  const tools = useValue(session.tools);
  const resources = useValue(session.resources);
  const prompts = useValue(session.prompts);
  const { place } = useValue(route);
  const open = connection.state === "open";
  const counts: Readonly<Record<Place, number>> = {
    tools: tools.items.length,
    resources: resources.items.length,
    prompts: prompts.items.length,
    wire: frames.length,
    history: calls.length,
    server: 0,
  };
  const shown: readonly Place[] = open
    ? ["tools", "resources", "prompts", "wire", "history", "server"]
    : ["tools", "wire"];
  return (
    <header class="head">
      <div class="brand">
        <h1>
          {session.settings.catalog === null ? (
            <strong>Explorer</strong>
          ) : (
            <a href={session.settings.catalog}>
              <strong>OpenMCP</strong>
            </a>
          )}
          {title !== null && (
            <span class="at">
              <Name text={title} />
            </span>
          )}
        </h1>
        <span class={open && lost === null ? "state on" : "state"} role="status">
          {open
            ? (lost ?? (connection.link.kind === "direct" ? "connected" : "through the catalog"))
            : connection.state === "opening"
              ? "connecting"
              : "not connected"}
        </span>
      </div>
      <nav aria-label="Explorer">
        <ul class="places">
          {shown.map((each) => (
            <li key={each}>
              <a
                href={hrefOf({ place: each, name: null })}
                aria-current={each === place ? "page" : undefined}
              >
                {!open && each === "tools" ? "Connect" : LABELS[each]}
                {counts[each] > 0 && <span class="count">{counts[each]}</span>}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}
