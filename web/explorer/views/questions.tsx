/**
 * What a server wants a person to answer in the middle of its work: a form or a page to visit (elicitation), or an answer in a model's
 * stead (sampling). One at a time, in a dialog; nothing is answered by itself.
 */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { JsonObject, JsonValue } from "../../../src/spec/index.ts";
import { ArgumentsEditor } from "../form/arguments-editor.tsx";
import { isRecord } from "../json/exact.ts";
import { JsonTree } from "../result/json-tree.tsx";
import { PromptMessages } from "../result/prompt-messages.tsx";
import { judge } from "../schema/judge.ts";
import { startOf } from "../schema/start.ts";
import type { Session, Waiting } from "../session.ts";
import { Guarded } from "../ui/guarded.tsx";
import { useValue } from "../ui/state.ts";
import { Name, Prose, safeUrl } from "../ui/texts.tsx";

export function Questions({ session }: { readonly session: Session }) {
  const waiting = useValue(session.waiting);
  const [first] = waiting;
  if (first === undefined) return null;
  const leave = (): void => void session.disconnect();
  return <QuestionDialog key={first.number} waiting={first} more={waiting.length - 1} leave={leave} />;
}

function QuestionDialog({
  waiting,
  more,
  leave,
}: {
  readonly waiting: Waiting;
  readonly more: number;
  readonly leave: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { kind, params } = waiting.question;
  useEffect(() => {
    const box = dialog.current;
    if (box !== null && !box.open) box.showModal();
    return () => box?.close();
  }, []);
  const cancel = (): void =>
    kind === "elicitation"
      ? waiting.answer({ action: "cancel" })
      : waiting.refuse("The person gave no answer.");
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        cancel();
      }}
    >
      <p class="soft">The server asks{more > 0 ? `; ${more} more wait` : ""}</p>
      <h2 id={id}>
        {kind === "sampling"
          ? "Answer as the model"
          : params.mode === "url"
            ? "Visit a page"
            : "Fill in a form"}
      </h2>
      <Guarded of={waiting}>
        {kind === "sampling" ? (
          <Sampling params={params} waiting={waiting} />
        ) : params.mode === "url" ? (
          <Visit params={params} waiting={waiting} />
        ) : (
          <Elicitation params={params} waiting={waiting} />
        )}
      </Guarded>
      {more > 0 && (
        <p>
          <button type="button" class="quiet" onClick={leave}>
            Answer none of them, and disconnect
          </button>
        </p>
      )}
    </dialog>
  );
}

interface QuestionProps {
  readonly params: JsonObject;
  readonly waiting: Waiting;
}

function Elicitation({ params, waiting }: QuestionProps) {
  const schema: JsonValue = params.requestedSchema ?? {};
  const [content, setContent] = useState<JsonValue>(() => startOf(schema, schema) ?? {});
  const [sound, setSound] = useState(true);
  const [touched, setTouched] = useState(false);
  const verdict = touched ? judge(content, schema) : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (sound) waiting.answer({ action: "accept", content });
      }}
    >
      {typeof params.message === "string" && <Prose text={params.message} />}
      <ArgumentsEditor
        schema={schema}
        value={content}
        onChange={(next) => {
          setTouched(true);
          setContent(next);
        }}
        onSound={setSound}
        label="Answer"
      />
      {verdict?.kind === "differs" && sound && (
        <details class="note warn">
          <summary>The answer is not yet what was asked for</summary>
          <p dir="auto">{verdict.problem}</p>
        </details>
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={!sound}>
          Send the answer
        </button>
        <WaysOut waiting={waiting} />
      </div>
    </form>
  );
}

/** Every elicitation can be declined, or left without a word on it. */
function WaysOut({ waiting }: { readonly waiting: Waiting }) {
  return (
    <>
      <button type="button" onClick={() => waiting.answer({ action: "decline" })}>
        Decline
      </button>
      <button type="button" class="quiet" onClick={() => waiting.answer({ action: "cancel" })}>
        Cancel
      </button>
    </>
  );
}

/** The whole address is shown before it is opened, its host first: whom one visits is the question. */
function Visit({ params, waiting }: QuestionProps) {
  const url = safeUrl(String(params.url ?? ""));
  return (
    <div>
      {typeof params.message === "string" && <Prose text={params.message} />}
      {url === null ? (
        <p class="note bad">
          The address is not an http or https URL, and is not opened:{" "}
          <Name text={String(params.url ?? "").slice(0, 200)} code />
        </p>
      ) : (
        <>
          <p>
            It leads to <strong>{url.host}</strong>:
          </p>
          <p>
            <code>{url.href}</code>
          </p>
        </>
      )}
      <div class="actions">
        {url !== null && (
          <a
            class="button primary"
            href={url.href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            onClick={() => waiting.answer({ action: "accept" })}
          >
            Open it
          </a>
        )}
        <WaysOut waiting={waiting} />
      </div>
    </div>
  );
}

function Sampling({ params, waiting }: QuestionProps) {
  const [textId, modelId] = [useId(), useId()];
  const [text, setText] = useState("");
  const [model, setModel] = useState("a-person");
  const { messages, systemPrompt, ...rest } = params;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        waiting.answer({ role: "assistant", content: { type: "text", text }, model, stopReason: "endTurn" });
      }}
    >
      {typeof systemPrompt === "string" && (
        <>
          <h3>System prompt</h3>
          <Prose text={systemPrompt} />
        </>
      )}
      <PromptMessages messages={Array.isArray(messages) ? messages : []} />
      {isRecord(rest) && Object.keys(rest).length > 0 && (
        <details class="more">
          <summary>Preferences</summary>
          <JsonTree value={rest} />
        </details>
      )}
      <div class="field">
        <label for={textId}>The answer</label>
        <textarea
          id={textId}
          rows={4}
          dir="auto"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for={modelId}>Name of the model</label>
        <input
          id={modelId}
          type="text"
          autocomplete="off"
          value={model}
          onInput={(event) => setModel(event.currentTarget.value)}
        />
      </div>
      <div class="actions">
        <button type="submit" class="primary">
          Send the answer
        </button>
        <button type="button" onClick={() => waiting.refuse("The person refused to answer.")}>
          Refuse
        </button>
      </div>
    </form>
  );
}
