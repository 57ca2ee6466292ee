/** One tool: what it says of itself, its arguments, the call and what came of it. */
import { useState } from "preact/hooks";
import type { JsonValue } from "../../../src/spec/index.ts";
import type { Link, Progress, Tool } from "../connection/link.ts";
import { draftOf } from "../drafts.ts";
import { ArgumentsEditor } from "../form/arguments-editor.tsx";
import { pretty } from "../json/exact.ts";
import { CallView } from "../result/call-view.tsx";
import { JsonTree } from "../result/json-tree.tsx";
import { judge } from "../schema/judge.ts";
import { startOf } from "../schema/start.ts";
import type { Session } from "../session.ts";
import { CopyButton } from "../ui/parts.tsx";
import { useValue } from "../ui/state.ts";
import { Name, Prose } from "../ui/texts.tsx";
import { CopyAs } from "./copy-as.tsx";

export function ToolView({
  session,
  link,
  tool,
}: {
  readonly session: Session;
  readonly link: Link;
  readonly tool: Tool;
}) {
  const draft = draftOf(session, tool.name);
  const { args: typed, call, running, progress } = useValue(draft);
  const [sound, setSound] = useState(true);
  const args = typed ?? startOf(tool.inputSchema, tool.inputSchema) ?? {};
  // An empty form is not blamed before somebody did something.
  const verdict = typed === null && call === null ? null : judge(args, tool.inputSchema);
  const setArgs = (next: JsonValue | null): void => draft.set((before) => ({ ...before, args: next }));

  const run = async (): Promise<void> => {
    const stop = new AbortController();
    draft.set((before) => ({ ...before, args, running: stop, progress: null }));
    const onProgress = (told: Progress): void => draft.set((before) => ({ ...before, progress: told }));
    const made = await session.call(
      { what: "tool", name: tool.name, args },
      (now, signal) => now.callTool(tool, args, { signal, onProgress }),
      stop.signal,
    );
    draft.set((before) => ({ ...before, call: made, running: null }));
  };

  return (
    <form
      class="tool"
      onSubmit={(event) => {
        event.preventDefault();
        if (running === null && sound) void run();
      }}
      onKeyDown={(event) => {
        // As in chats and consoles, from wherever one types.
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
    >
      <h2>
        <Name text={tool.title ?? tool.name} />
      </h2>
      {tool.title !== null && (
        <p>
          <Name text={tool.name} code />
        </p>
      )}
      <Hints annotations={tool.annotations} />
      {tool.description !== null && <Prose text={tool.description} />}
      <ArgumentsEditor
        schema={tool.inputSchema}
        value={args}
        onChange={setArgs}
        onSound={setSound}
        label="Arguments"
      />
      {verdict?.kind === "differs" && sound && (
        <details class="note warn">
          <summary>The arguments don't fit the tool's schema yet</summary>
          <p dir="auto">{verdict.problem}</p>
        </details>
      )}
      <div class="actions">
        <button
          type="submit"
          class="primary"
          disabled={!sound || running !== null}
          aria-keyshortcuts="Control+Enter"
        >
          {running === null ? "Call the tool" : "Waiting…"}
        </button>
        {running !== null && (
          <button type="button" onClick={() => running.abort()}>
            Stop
          </button>
        )}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            setArgs(null);
            setSound(true);
          }}
        >
          Start over
        </button>
      </div>
      {running !== null && <ProgressLine progress={progress} />}
      {call !== null && <CallView key={call.number} call={call} outputSchema={tool.outputSchema} />}
      <CopyAs session={session} link={link} tool={tool} args={args} />
      <details class="more">
        <summary>As the server lists it</summary>
        <JsonTree value={tool.whole} />
        <CopyButton text={() => pretty(tool.whole)} />
      </details>
    </form>
  );
}

export function ProgressLine({ progress }: { readonly progress: Progress | null }) {
  const known = progress !== null && progress.total !== null && progress.total > 0;
  const said =
    progress === null ? "" : `${progress.done}${progress.total === null ? "" : ` of ${progress.total}`}`;
  return (
    <div class="progress" role="status">
      <progress
        aria-label="Progress of the call"
        {...(known ? { value: progress?.done ?? 0, max: progress?.total ?? 1 } : {})}
      />
      <bdi>
        {[said, progress?.message ?? ""]
          .filter((part) => part !== "")
          .join(" · ")
          .slice(0, 300) || "Sent"}
      </bdi>
    </div>
  );
}

/** Annotations as words: hints of the server, which nobody has checked. */
function Hints({ annotations }: { readonly annotations: Tool["annotations"] }) {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const words = [
    readOnlyHint === true ? "reads only" : null,
    readOnlyHint !== true && destructiveHint === true ? "may destroy" : null,
    readOnlyHint !== true && destructiveHint === false ? "adds only" : null,
    idempotentHint === true ? "twice is as once" : null,
    openWorldHint === true ? "reaches outside" : null,
    openWorldHint === false ? "stays inside" : null,
  ].filter((word) => word !== null);
  if (words.length === 0) return null;
  return (
    <p class="hints" title="Hints by the server; nothing checks them.">
      {words.map((word) => (
        <span key={word} class="mark">
          {word}
        </span>
      ))}
    </p>
  );
}
