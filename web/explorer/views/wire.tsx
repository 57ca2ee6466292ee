/** Every frame on the wire, newest last, each to be opened: its headers, its message as it was written. Secrets are masked. */
import { useEffect, useRef, useState } from "preact/hooks";
import { MASK, maskHeader, maskText } from "../connection/mask.ts";
import type { Frame } from "../connection/wire.ts";
import type { Session } from "../session.ts";
import { CopyButton, Empty } from "../ui/parts.tsx";
import { useValue } from "../ui/state.ts";
import { clockTime, duration, size } from "../ui/texts.tsx";

export function WireView({ session }: { readonly session: Session }) {
  const frames = useValue(session.wire.frames);
  const [words, setWords] = useState("");
  const [masked, setMasked] = useState(true);
  const end = useRef<HTMLDivElement>(null);
  const wanted = words.trim().toLowerCase();
  const shown = frames.filter(
    (frame) =>
      wanted === "" ||
      frame.text.toLowerCase().includes(wanted) ||
      labelOf(frame).toLowerCase().includes(wanted),
  );
  // Whoever reads the end stays at the end.
  const newest = frames.at(-1)?.number ?? 0;
  useEffect(() => {
    const box = end.current?.parentElement;
    if (box && box.scrollHeight - box.scrollTop - box.clientHeight < 200)
      end.current?.scrollIntoView({ block: "nearest" });
  }, [newest]);
  return (
    <div class="sheet">
      <h2>On the wire</h2>
      <div class="row toolbar">
        <input
          type="search"
          aria-label="Filter frames"
          placeholder={`Filter ${frames.length} frames`}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={masked}
            onChange={(event) => setMasked(event.currentTarget.checked)}
          />
          Mask secrets
        </label>
        <CopyButton
          label="Copy all"
          text={() =>
            JSON.stringify(
              shown.map((frame) => seen(frame, { session, masked })),
              null,
              2,
            )
          }
        />
        <button type="button" class="small" onClick={() => session.wire.clear()}>
          Clear
        </button>
      </div>
      {shown.length === 0 && (
        <Empty>{frames.length === 0 ? "Nothing went over the wire yet." : "No frame has these words."}</Empty>
      )}
      <ol class="frames">
        {shown.map((frame) => (
          <FrameLine key={frame.number} frame={frame} session={session} masked={masked} />
        ))}
      </ol>
      <div ref={end} />
    </div>
  );
}

function FrameLine(given: { readonly frame: Frame; readonly session: Session; readonly masked: boolean }) {
  const { frame } = given;
  const [open, setOpen] = useState(false);
  const out = frame.direction === "out";
  const bad =
    frame.label === "error" || (frame.status !== null && frame.status >= 400) || frame.via === "failed";
  return (
    <li class={out ? "frame out" : "frame in"}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="arrow" aria-hidden="true">
            {out ? "↑" : "↓"}
          </span>
          <span class="visually-hidden">{out ? "sent" : "received"}</span>
          <span class={bad ? "frame-label bad-word" : "frame-label"}>
            <bdi>{labelOf(frame)}</bdi>
          </span>
          {frame.id !== null && <span class="soft frame-id">#{frame.id.slice(0, 24)}</span>}
          <span class="soft facts">
            {frame.via}
            {frame.status !== null && ` ${frame.status}`}
            {frame.ms !== null && ` · ${duration(frame.ms)}`}
            {frame.size > 0 && ` · ${size(frame.size)}`} · {clockTime(frame.at)}
          </span>
        </summary>
        {open && <FrameBody {...given} />}
      </details>
    </li>
  );
}

function FrameBody({
  frame,
  session,
  masked,
}: {
  readonly frame: Frame;
  readonly session: Session;
  readonly masked: boolean;
}) {
  const { headers, text } = seen(frame, { session, masked });
  return (
    <div class="frame-body">
      {headers.length > 0 && (
        <details class="headers">
          <summary>{headers.length} headers</summary>
          <dl>
            {headers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {text !== "" && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard. */}
          <pre tabIndex={0}>
            <code>{indented(text)}</code>
          </pre>
          {frame.size > frame.text.length && <p class="soft">The first {size(frame.text.length)} of it.</p>}
          <CopyButton text={() => text} />
        </>
      )}
    </div>
  );
}

function seen(frame: Frame, { session, masked }: { readonly session: Session; readonly masked: boolean }) {
  const { direction, via, status, ms, at, label } = frame;
  const secrets = session.secrets();
  const headers = frame.headers.map(
    ([name, value]) =>
      [name, masked ? (secrets.includes(value) ? MASK : maskHeader(name, value)) : value] as const,
  );
  const text = masked ? maskText(frame.text, secrets) : frame.text;
  return { at: new Date(at).toISOString(), direction, via, status, ms, label, headers, text };
}

function labelOf(frame: Frame): string {
  if (frame.label !== "") return frame.answers === null ? frame.label : `${frame.label} of ${frame.answers}`;
  if (frame.via === "http") return frame.status === 202 ? "accepted" : "no message";
  return WORDS[frame.via] ?? frame.via;
}

/** For what went by without a message. */
const WORDS: Readonly<Record<string, string>> = {
  stream: "stream opened",
  GET: "listen for messages",
  DELETE: "end the session",
  ended: "given up",
  failed: "no answer",
};

/** Spread over lines, every character as it came: parsing and writing again would change numbers. */
function indented(text: string): string {
  let out = "";
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (inString) {
      out += char;
      if (char === "\\") {
        at += 1;
        out += text[at] ?? "";
      } else if (char === '"') inString = false;
    } else if (char === '"') {
      inString = true;
      out += char;
    } else if (char === "{" || char === "[") {
      const close = char === "{" ? "}" : "]";
      if (text[at + 1] === close) {
        out += char + close;
        at += 1;
      } else {
        depth = Math.min(depth + 1, 40);
        out += `${char}\n${"  ".repeat(depth)}`;
      }
    } else if (char === "}" || char === "]") {
      depth = Math.max(depth - 1, 0);
      out += `\n${"  ".repeat(depth)}${char}`;
    } else if (char === ",") out += `,\n${"  ".repeat(depth)}`;
    else if (char === ":") out += ": ";
    else if (!/\s/.test(char)) out += char;
  }
  return out;
}
