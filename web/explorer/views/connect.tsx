/** Before there is a connection: where to, and why the last attempt failed. */
import { useId, useState } from "preact/hooks";
import type { Connection, Session, Target } from "../session.ts";
import { ReasonBox, Skeleton } from "../ui/parts.tsx";
import { Name } from "../ui/texts.tsx";
import { CredentialBox } from "./credential.tsx";

export function ConnectView({
  session,
  connection,
}: {
  readonly session: Session;
  readonly connection: Connection;
}) {
  const { settings } = session;
  if (connection.state === "opening") {
    return (
      <main class="narrow" id="main">
        <h2>Connecting</h2>
        <p class="soft">
          to <Name text={nameOf(connection.target, session)} code />
        </p>
        <Skeleton rows={5} />
        <button type="button" onClick={() => void session.disconnect()}>
          Stop
        </button>
      </main>
    );
  }
  const failed = connection.state === "failed" ? connection : null;
  const target = failed?.target ?? null;
  const fixed = settings.endpoint !== null;
  return (
    <main class="narrow" id="main">
      <h2>{failed === null ? "Try an MCP server" : "No connection"}</h2>
      {failed !== null && (
        <>
          <p class="soft">
            to <Name text={nameOf(failed.target, session)} code />
          </p>
          <ReasonBox reason={failed.reason} />
        </>
      )}
      {fixed ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void session.connect({ kind: "direct", endpoint: settings.endpoint ?? "" });
          }}
        >
          <CredentialBox session={session} forwarded={false} />
          <button type="submit" class="primary">
            {failed === null ? "Connect" : "Try again"}
          </button>
        </form>
      ) : (
        <TargetForm session={session} target={target} />
      )}
    </main>
  );
}

function TargetForm({ session, target }: { readonly session: Session; readonly target: Target | null }) {
  const id = useId();
  const inCatalog = session.settings.catalog !== null;
  const [typed, setTyped] = useState(
    target === null ? "" : target.kind === "direct" ? target.endpoint : target.relay,
  );
  const read = targetOf(typed, inCatalog);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (read !== null) void session.connect(read);
      }}
    >
      <div class="field">
        <label for={id}>
          {inCatalog ? "A relay's id, or the URL of an endpoint" : "The URL of an endpoint"}
        </label>
        <input
          id={id}
          type="text"
          inputMode="url"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={
            inCatalog ? "weather.example or https://weather.example/mcp" : "https://weather.example/mcp"
          }
          aria-describedby={`${id}-about`}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <p id={`${id}-about`} class="soft">
          {read?.kind === "forwarded"
            ? "The catalog passes everything on to it, and back."
            : read?.kind === "direct"
              ? "This browser speaks to the server itself, which has to allow pages of other origins (CORS)."
              : inCatalog
                ? "A relay of this catalog is spoken to through the catalog; any other server by this browser."
                : "This browser speaks to the server itself."}
        </p>
      </div>
      <CredentialBox session={session} forwarded={read?.kind === "forwarded"} />
      <button type="submit" class="primary" disabled={read === null}>
        Connect
      </button>
      {inCatalog && (
        <p class="soft">
          <a href={session.settings.catalog ?? "/"}>Look for a relay in the catalog</a>
        </p>
      )}
    </form>
  );
}

export function targetOf(typed: string, inCatalog: boolean): Target | null {
  const text = typed.trim();
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? { kind: "direct", endpoint: text } : null;
  return inCatalog && /^[a-z0-9][a-z0-9.-]{0,119}$/i.test(text) ? { kind: "forwarded", relay: text } : null;
}

function nameOf(target: Target, session: Session): string {
  if (target.kind === "forwarded") return target.relay;
  return session.settings.command?.join(" ") ?? session.settings.shown ?? target.endpoint;
}
