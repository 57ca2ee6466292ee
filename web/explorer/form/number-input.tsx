/** A number as it is typed, digit by digit: what is sent is what stands there, however many digits it has. */
import { useState } from "preact/hooks";
import { numberText, readNumber } from "../json/exact.ts";
import type { InputProps } from "./choice-input.tsx";

export function NumberInput({
  id,
  value,
  onChange,
  describedBy,
  integer,
}: InputProps & { readonly integer: boolean }) {
  const outside = value === undefined ? "" : numberText(value);
  const [typed, setTyped] = useState(outside);
  const read = readNumber(typed);
  // What is typed may be no number yet; a value that came another way is shown instead of it.
  const mine = value === undefined ? read === null : read !== null && numberText(read) === outside;
  const text = mine ? typed : outside;
  const wrong = text.trim() !== "" && readNumber(text) === null;
  return (
    <>
      <input
        id={id}
        type="text"
        inputMode={integer ? "numeric" : "decimal"}
        autocomplete="off"
        class="number"
        aria-describedby={describedBy}
        aria-invalid={wrong}
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setTyped(next);
          onChange(readNumber(next) ?? undefined);
        }}
      />
      {wrong && (
        <p class="problem" role="alert">
          This is no number yet, and is not sent.
        </p>
      )}
    </>
  );
}
