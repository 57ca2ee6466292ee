/** Small parts that several views have: copying, a list that is read, a reason. */
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Reason } from "../connection/reasons.ts";

/** Copies, and says so for a moment; the button keeps its width. */
export function CopyButton({
  text,
  label = "Copy",
}: {
  readonly text: () => string;
  readonly label?: string;
}) {
  const [said, say] = useState<"" | "Copied" | "Not allowed">("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = async (): Promise<void> => {
    const done = await copyText(text());
    say(done ? "Copied" : "Not allowed");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => say(""), 1_600);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      {label}
      <span role="status" class={said === "" ? "said" : "said shown"}>
        {said}
      </span>
    </button>
  );
}

/** The clipboard's API needs a secure origin; a page on plain http has the old way. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.setAttribute("readonly", "");
    area.className = "visually-hidden";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

export function ReasonBox({
  reason,
  children,
}: {
  readonly reason: Reason;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="note bad" role="alert">
      <strong>{reason.title}</strong>
      <p dir="auto">{reason.detail}</p>
      {children}
    </div>
  );
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty soft">{children}</p>;
}

/** Rows of the size that what comes will have. */
export function Skeleton({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">Reading…</span>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} aria-hidden="true" />
      ))}
    </div>
  );
}

/** Several views of one thing, of which one is seen; arrow keys as the pattern has it. */
export function Tabs<K extends string>(given: {
  readonly label: string;
  readonly tabs: readonly { readonly key: K; readonly label: string }[];
  readonly chosen: K;
  readonly onChoose: (key: K) => void;
}) {
  const { label, tabs, chosen, onChoose } = given;
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (tabs.findIndex(({ key }) => key === chosen) + step + tabs.length) % tabs.length;
    const next = tabs[at];
    if (next === undefined) return;
    onChoose(next.key);
    list.current?.querySelectorAll<HTMLButtonElement>("button")[at]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {tabs.map(({ key, label: name }) => (
        <button
          type="button"
          role="tab"
          key={key}
          aria-selected={key === chosen}
          tabIndex={key === chosen ? 0 : -1}
          onClick={() => onChoose(key)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
