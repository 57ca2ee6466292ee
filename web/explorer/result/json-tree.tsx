/** JSON as a tree that is opened where somebody looks: names, values by their kind, sizes of what is closed. Numbers stand as written. */
import { useState } from "preact/hooks";
import type { JsonValue } from "../../../src/spec/index.ts";
import { isNumber, isRecord, numberText } from "../json/exact.ts";
import { TREE_STEP } from "../limits.ts";
import { safeUrl } from "../ui/texts.tsx";

/** Characters of a string in the tree before it is cut. */
const STRING_CHARS = 2_000;

export function JsonTree({ value, open = 2 }: { readonly value: JsonValue; readonly open?: number }) {
  return (
    <div class="tree mono">
      <Node value={value} name={null} open={open} />
    </div>
  );
}

function Node({
  value,
  name,
  open,
}: {
  readonly value: JsonValue;
  readonly name: string | null;
  readonly open: number;
}) {
  const members: readonly (readonly [string, JsonValue])[] = Array.isArray(value)
    ? (value as readonly JsonValue[]).map((item, at) => [String(at), item] as const)
    : isRecord(value)
      ? Object.entries(value)
      : [];
  const [shown, show] = useState(TREE_STEP);
  const [isOpen, setOpen] = useState(open > 0);
  const label = name !== null && <bdi class="key">{name}: </bdi>;
  if (!Array.isArray(value) && !isRecord(value)) {
    return (
      <div class="leaf">
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  const many = members.length === 1 ? "1" : String(members.length);
  const what = Array.isArray(value) ? `[${many}]` : `{${many}}`;
  if (members.length === 0) {
    return (
      <div class="leaf">
        {label}
        <span class="soft">{Array.isArray(value) ? "[]" : "{}"}</span>
      </div>
    );
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="soft">{what}</span>
      </summary>
      {isOpen && (
        <div class="inside">
          {members.slice(0, shown).map(([key, member]) => (
            <Node key={key} name={key} value={member} open={open - 1} />
          ))}
          {members.length > shown && (
            <button type="button" class="quiet" onClick={() => show(shown + TREE_STEP)}>
              {`Show ${Math.min(TREE_STEP, members.length - shown)} more of ${members.length - shown}`}
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { readonly value: JsonValue }) {
  if (isNumber(value)) return <span class="number-value">{numberText(value)}</span>;
  if (typeof value !== "string") return <span class="word-value">{String(value)}</span>;
  const cut = value.length > STRING_CHARS ? `${value.slice(0, STRING_CHARS)}…` : value;
  const url = value.length < 2_000 && /^https?:\/\//i.test(value) ? safeUrl(value) : null;
  if (url !== null) {
    return (
      <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
        <bdi>{cut}</bdi>
      </a>
    );
  }
  return <bdi class="string-value">{JSON.stringify(cut)}</bdi>;
}
