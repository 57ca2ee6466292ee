/** The server and the connection: what it says of itself, the credential, folders it may be told of, its log, what it tells unasked. */
import { useId, useState } from "preact/hooks";
import type { Link } from "../connection/link.ts";
import type { Reason } from "../connection/reasons.ts";
import { JsonTree } from "../result/json-tree.tsx";
import type { Session } from "../session.ts";
import { Empty, ReasonBox } from "../ui/parts.tsx";
import { useValue } from "../ui/state.ts";
import { clockTime, Name, Link as OutLink, Prose } from "../ui/texts.tsx";
import { CredentialBox } from "./credential.tsx";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

export function ServerView({ session, link }: { readonly session: Session; readonly link: Link }) {
  const { server } = link;
  const connection = useValue(session.connection);
  const [said, say] = useState("");
  const [reason, setReason] = useState<Reason | null>(null);
  const endpoint = session.shownEndpoint();
  const { openapi, command } = session.settings;
  const attempt = async (work: () => Promise<void>, done: string): Promise<void> => {
    setReason(null);
    say("…");
    try {
      const started = performance.now();
      await work();
      say(done.replace("{ms}", `${Math.round(performance.now() - started)} ms`));
    } catch (error) {
      say("");
      setReason(session.reasonFor(error));
    }
  };
  return (
    <div class="sheet">
      <h2>
        <Name text={server.name} />
      </h2>
      <dl class="facts-list">
        <dt>Version</dt>
        <dd>{server.version ?? "not said"}</dd>
        <dt>Protocol</dt>
        <dd>
          {server.protocolVersion ?? "not known"}
          {server.era !== null && <span class="soft"> {server.era} era</span>}
        </dd>
        <dt>{command === null ? "Endpoint" : "Command"}</dt>
        <dd>
          {command === null ? (
            endpoint === null ? (
              "not known"
            ) : (
              <Name text={endpoint} code />
            )
          ) : (
            <Name text={command.join(" ")} code />
          )}
        </dd>
        <dt>Calls go</dt>
        <dd>
          {link.kind === "direct"
            ? "from this browser to the server"
            : "through the catalog, which passes them on as they are"}
        </dd>
        {openapi !== null && (
          <>
            <dt>OpenAPI</dt>
            <dd>
              <a href={openapi}>openapi.json</a>
            </dd>
          </>
        )}
      </dl>
      {server.instructions !== null && (
        <>
          <h3>Instructions</h3>
          <Prose text={server.instructions} />
        </>
      )}
      <div class="actions">
        {link.ping !== null && (
          <button
            type="button"
            onClick={() => void attempt(link.ping as () => Promise<void>, "answered in {ms}")}
          >
            Ping
          </button>
        )}
        <button
          type="button"
          onClick={() => connection.state === "open" && void session.connect(connection.target)}
        >
          Connect again
        </button>
        <button type="button" onClick={() => void session.disconnect()}>
          Disconnect
        </button>
        {link.kind === "forwarded" && endpoint !== null && (
          <button type="button" onClick={() => void session.connect({ kind: "direct", endpoint })}>
            Connect to it directly
          </button>
        )}
        <span role="status" class="soft">
          {said}
        </span>
      </div>
      {reason !== null && <ReasonBox reason={reason} />}
      <h3>Credential</h3>
      <CredentialBox session={session} forwarded={link.kind === "forwarded"} />
      <Roots session={session} />
      {link.setLogLevel !== null && (
        <LogLevel
          onChange={(level) =>
            void attempt(() => link.setLogLevel?.(level) ?? Promise.resolve(), `set to ${level}`)
          }
        />
      )}
      <Notices session={session} />
      <h3>Capabilities</h3>
      <JsonTree value={server.capabilities} open={3} />
      {endpoint !== null && command === null && (
        <p class="soft">
          <OutLink href={endpoint} />
        </p>
      )}
    </div>
  );
}

function Roots({ session }: { readonly session: Session }) {
  const id = useId();
  const roots = useValue(session.roots);
  const [typed, setTyped] = useState(roots.join("\n"));
  return (
    <div class="field">
      <label for={id}>Roots, when the server asks for them</label>
      <textarea
        id={id}
        class="mono"
        rows={1}
        spellcheck={false}
        placeholder="file:///home/you/project"
        value={typed}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setTyped(next);
          session.roots.set(
            next
              .split("\n")
              .map((line) => line.trim())
              .filter((line) => line !== ""),
          );
        }}
      />
    </div>
  );
}

function LogLevel({ onChange }: { readonly onChange: (level: string) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Level of the server's log</label>
      <select
        id={id}
        onChange={(event) => event.currentTarget.value !== "" && onChange(event.currentTarget.value)}
      >
        <option value="">as it is</option>
        {LEVELS.map((level) => (
          <option key={level} value={level}>
            {level}
          </option>
        ))}
      </select>
    </div>
  );
}

function Notices({ session }: { readonly session: Session }) {
  const notices = useValue(session.notices);
  return (
    <>
      <h3>What the server tells unasked</h3>
      {notices.length === 0 && <Empty>No notifications yet.</Empty>}
      <ol class="frames">
        {notices.toReversed().map((notice, at) => (
          <li key={notices.length - at} class="frame">
            <details>
              <summary>
                <span class="frame-label">
                  <bdi>{notice.method.replace(/^notifications\//, "").slice(0, 100)}</bdi>
                </span>
                <span class="notice-text">
                  <bdi>{wordsOf(notice.params)}</bdi>
                </span>
                <span class="soft facts">{clockTime(notice.at)}</span>
              </summary>
              <JsonTree value={notice.params} open={3} />
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

function wordsOf(params: { readonly [key: string]: unknown }): string {
  const { level, data, uri } = params;
  const said = typeof data === "string" ? data : data === undefined ? "" : JSON.stringify(data);
  return [level, uri, said]
    .filter((part) => typeof part === "string" && part !== "")
    .join(" · ")
    .slice(0, 200);
}
