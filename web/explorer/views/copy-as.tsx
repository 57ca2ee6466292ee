/** The call as somebody would make it elsewhere. */
import { useState } from "preact/hooks";
import type { JsonValue } from "../../../src/spec/index.ts";
import type { Link, Tool } from "../connection/link.ts";
import { asCode, asCommand, asConfig, asCurl, type CallFacts, shellWord } from "../copy/commands.ts";
import type { Session } from "../session.ts";
import { CopyButton, Tabs } from "../ui/parts.tsx";
import { useValue } from "../ui/state.ts";

type Way = "curl" | "cli" | "code" | "desktop" | "vscode";

export function CopyAs(given: {
  readonly session: Session;
  readonly link: Link;
  readonly tool: Tool;
  readonly args: JsonValue;
}) {
  const { session, link, tool, args } = given;
  const [way, choose] = useState<Way>("curl");
  const connection = useValue(session.connection);
  const credential = useValue(session.credential);
  const target = connection.state === "open" ? connection.target : null;
  const catalog = new URL(session.settings.catalog ?? "./", location.href).href.replace(/\/+$/, "");
  const facts: CallFacts = {
    tool: tool.name,
    args,
    endpoint: session.shownEndpoint(),
    command: session.settings.command,
    forward: target?.kind === "forwarded" ? { catalog, relay: target.relay } : null,
    era: link.server.era,
    protocolVersion: link.server.protocolVersion,
    withCredential: credential.token !== "",
  };
  const config = asConfig({
    name: target?.kind === "forwarded" ? target.relay : link.server.name,
    endpoint: facts.endpoint,
    command: facts.command,
  });
  const texts: Readonly<Record<Way, string | null>> = {
    curl: asCurl(facts),
    cli: asCommand(facts),
    code: asCode(facts),
    desktop: config.desktop,
    vscode: config.vscode,
  };
  const tabs = (
    [
      { key: "curl", label: "curl" },
      { key: "cli", label: "openmcp" },
      { key: "code", label: "TypeScript" },
      { key: "desktop", label: facts.endpoint === null ? "Claude Desktop, Cursor" : "Cursor" },
      { key: "vscode", label: "VS Code" },
    ] as const
  ).filter(({ key }) => texts[key] !== null);
  const chosen = tabs.some(({ key }) => key === way) ? way : (tabs[0]?.key ?? "cli");
  const text = texts[chosen] ?? "";
  return (
    <details class="more">
      <summary>Copy as</summary>
      <Tabs label="Copy as" tabs={tabs} chosen={chosen} onChoose={choose} />
      <div role="tabpanel" aria-label={chosen}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard. */}
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
        <p class="row">
          <CopyButton text={() => text} />
          {chosen === "desktop" && facts.endpoint !== null && (
            <span class="soft">
              Into Claude Desktop, which takes no URL:{" "}
              <code>openmcp install {shellWord(facts.endpoint)} --client claude-desktop</code>
            </span>
          )}
        </p>
      </div>
    </details>
  );
}
