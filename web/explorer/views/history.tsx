/** The calls of this tab, newest first: what came of them, and a way back into the form. A reload forgets them. */
import type { Tool } from "../connection/link.ts";
import { draftOf } from "../drafts.ts";
import { CallView } from "../result/call-view.tsx";
import { JsonTree } from "../result/json-tree.tsx";
import { hrefOf, type Place } from "../route.ts";
import type { Call, Session } from "../session.ts";
import { Empty } from "../ui/parts.tsx";
import { useValue } from "../ui/state.ts";
import { clockTime, duration, Name } from "../ui/texts.tsx";

const PLACES: Readonly<Record<Call["what"], Place>> = {
  tool: "tools",
  resource: "resources",
  prompt: "prompts",
};

export function HistoryView({ session }: { readonly session: Session }) {
  const calls = useValue(session.history);
  const tools = useValue(session.tools);
  return (
    <div class="sheet">
      <h2>Calls of this tab</h2>
      {calls.length === 0 && <Empty>No calls yet. They are kept in this tab's memory only.</Empty>}
      <ol class="frames">
        {calls.map((call) => (
          <li key={call.number} class="frame">
            <details>
              <summary>
                <span class="frame-label">
                  <Name text={call.name} code />
                </span>
                <span
                  class={call.reason === null && call.result?.isError !== true ? "good-word" : "bad-word"}
                >
                  {call.reason === null
                    ? call.result?.isError === true
                      ? "tool failed"
                      : "answered"
                    : call.reason.title}
                </span>
                <span class="soft facts">
                  {duration(call.ms)} · {clockTime(call.at)}
                </span>
              </summary>
              <div class="frame-body">
                <p class="row">
                  <a
                    href={hrefOf({ place: PLACES[call.what], name: call.name })}
                    onClick={() =>
                      draftOf(session, call.name).set((before) => ({ ...before, args: call.args, call }))
                    }
                  >
                    Open it in the form
                  </a>
                </p>
                <h3>Arguments</h3>
                <JsonTree value={call.args} />
                <CallView call={call} outputSchema={schemaOf(call, tools.items)} />
              </div>
            </details>
          </li>
        ))}
      </ol>
    </div>
  );
}

function schemaOf(call: Call, tools: readonly Tool[]) {
  return call.what === "tool" ? (tools.find(({ name }) => name === call.name)?.outputSchema ?? null) : null;
}
