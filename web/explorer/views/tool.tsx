/** One tool: what it says of itself, its arguments, the call and what came of it. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { JsonValue } from "../../../src/spec/index.ts";
import type { Link, Progress, Tool } from "../connection/link.ts";
import { ArgumentsEditor } from "../form/arguments-editor.tsx";
import { pretty } from "../json/exact.ts";
import { CallView } from "../result/call-view.tsx";
import { JsonTree } from "../result/json-tree.tsx";
import { judge } from "../schema/judge.ts";
import { startOf } from "../schema/start.ts";
import type { Call, Session } from "../session.ts";
import { CopyButton } from "../ui/parts.tsx";
import { Name, Prose } from "../ui/texts.tsx";
import { CopyAs } from "./copy-as.tsx";

/** What was typed for a tool, while the tab lives: leaving a tool and coming back loses nothing. */
const drafts = new WeakMap<Session, Map<string, { readonly args: JsonValue; readonly call: Call | null }>>();

export function draftsOf(
  session: Session,
): Map<string, { readonly args: JsonValue; readonly call: Call | null }> {
  const known = drafts.get(session);
  if (known !== undefined) return known;
  const made = new Map<string, { readonly args: JsonValue; readonly call: Call | null }>();
  drafts.set(session, made);
  return made;
}

export function ToolView({
  session,
  link,
  tool,
}: {
  readonly session: Session;
  readonly link: Link;
  readonly tool: Tool;
}) {
  const kept = draftsOf(session);
  const draft = kept.get(tool.name);
  const [args, setArgs] = useState<JsonValue>(
    () => draft?.args ?? startOf(tool.inputSchema, tool.inputSchema) ?? {},
  );
  const [sound, setSound] = useState(true);
  const [call, setCall] = useState<Call | null>(draft?.call ?? null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const alive = useRef(true);
  useEffect(() => {
    kept.set(tool.name, { args, call });
  }, [kept, tool.name, args, call]);
  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);
  const verdict = judge(args, tool.inputSchema);

  const run = async (): Promise<void> => {
    const stop = new AbortController();
    setRunning(stop);
    setProgress(null);
    const made = await session.call({ what: "tool", name: tool.name, args }, (now) =>
      now.callTool(tool, args, {
        signal: stop.signal,
        onProgress: (told) => alive.current && setProgress(told),
      }),
    );
    kept.set(tool.name, { args, call: made });
    if (!alive.current) return;
    setCall(made);
    setRunning(null);
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
      {verdict.kind === "differs" && sound && (
        <details class="note warn">
          <summary>The arguments are not of the tool's schema yet</summary>
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
            setArgs(startOf(tool.inputSchema, tool.inputSchema) ?? {});
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
