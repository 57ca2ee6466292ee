/** Any value, as JSON: where the schema says nothing, or more than a field can show. What is no JSON is not sent. */
import { useState } from "preact/hooks";
import { pretty, readExact, whyNotJson } from "../json/exact.ts";
import type { InputProps } from "./choice-input.tsx";

export function JsonInput({ id, value, onChange, describedBy }: Omit<InputProps, "field">) {
  const outside = value === undefined ? "" : pretty(value);
  const [typed, setTyped] = useState({ text: outside, of: outside });
  const text = typed.of === outside ? typed.text : outside;
  const wrong = text.trim() === "" ? null : whyNotJson(text);
  return (
    <>
      <textarea
        id={id}
        rows={1}
        class="mono"
        spellcheck={false}
        placeholder="JSON"
        aria-describedby={describedBy}
        aria-invalid={wrong !== null}
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value;
          if (next.trim() === "") {
            setTyped({ text: next, of: "" });
            onChange(undefined);
          } else if (whyNotJson(next) === null) {
            const read = readExact(next);
            setTyped({ text: next, of: pretty(read) });
            onChange(read);
          } else setTyped({ text: next, of: outside });
        }}
      />
      {wrong !== null && (
        <p class="problem" role="alert">
          {wrong} Until then, what it was before is sent.
        </p>
      )}
    </>
  );
}
