/** A text, by its format. An optional one that is emptied is left out; the raw JSON is the place for an empty text. */
import type { JsonValue } from "../../../src/spec/index.ts";
import type { TextFormat } from "../schema/field.ts";
import type { InputProps } from "./choice-input.tsx";

const TYPES: Partial<Record<TextFormat, "date" | "time" | "email" | "url" | "password" | "color">> = {
  date: "date",
  time: "time",
  email: "email",
  uri: "url",
  password: "password",
  color: "color",
};

export function TextInput(props: InputProps & { readonly format: TextFormat; readonly long: boolean }) {
  const { id, value, onChange, required, describedBy, format, long } = props;
  const text = typeof value === "string" ? value : "";
  const typed = (next: string): void => onChange(next === "" && !required ? undefined : next);
  if (format === "date-time") return <MomentInput {...props} text={text} typed={typed} />;
  if (format === "text" && long) {
    return (
      <textarea
        id={id}
        rows={1}
        dir="auto"
        spellcheck={false}
        aria-describedby={describedBy}
        value={text}
        placeholder={exampleOf(props.field.examples)}
        onInput={(event) => typed(event.currentTarget.value)}
      />
    );
  }
  // A value that the picker could not show is shown as text.
  const type = TYPES[format];
  const fits =
    (format !== "date" || text === "" || /^\d{4}-\d{2}-\d{2}$/.test(text)) &&
    (format !== "time" || text === "" || /^\d{2}:\d{2}(?::\d{2})?$/.test(text)) &&
    (format !== "color" || /^#[0-9a-f]{6}$/i.test(text));
  return (
    <input
      id={id}
      type={(type === undefined || !fits ? "text" : type) as "text"}
      autocomplete="off"
      dir={type === undefined ? "auto" : undefined}
      aria-describedby={describedBy}
      value={text}
      placeholder={exampleOf(props.field.examples)}
      onInput={(event) => typed(event.currentTarget.value)}
    />
  );
}

/** A moment: as text, since the zone is a part of it, and a picker beside it that speaks of this machine's zone. */
function MomentInput({
  id,
  text,
  typed,
  describedBy,
  label,
}: InputProps & { readonly text: string; readonly typed: (text: string) => void }) {
  const moment = text === "" ? null : new Date(text);
  const local = moment === null || Number.isNaN(moment.getTime()) ? "" : localText(moment);
  return (
    <div class="row">
      <input
        id={id}
        type="text"
        autocomplete="off"
        aria-describedby={describedBy}
        value={text}
        placeholder="2026-07-28T12:00:00Z"
        onInput={(event) => typed(event.currentTarget.value)}
      />
      <input
        type="datetime-local"
        step="1"
        aria-label={`${label}, in your time zone`}
        value={local}
        onInput={(event) => {
          const chosen = new Date(event.currentTarget.value);
          if (!Number.isNaN(chosen.getTime())) typed(chosen.toISOString().replace(/\.000Z$/, "Z"));
        }}
      />
    </div>
  );
}

function localText(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

function exampleOf(examples: readonly JsonValue[]): string | undefined {
  const [first] = examples;
  return typeof first === "string" ? first.slice(0, 80) : undefined;
}
