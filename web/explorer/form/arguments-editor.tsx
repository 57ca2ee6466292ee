/**
 * The form and the raw JSON, side by side and in step: each keystroke in one is seen in the other. While the JSON is none, the form
 * keeps what it was, and nothing can be sent.
 */
import { useId, useState } from "preact/hooks";
import type { JsonValue } from "../../../src/spec/index.ts";
import { isRecord, pretty, readExact, whyNotJson } from "../json/exact.ts";
import { fieldOf } from "../schema/field.ts";
import { CopyButton } from "../ui/parts.tsx";
import { FieldView } from "./field-view.tsx";
import { ObjectInput } from "./object-input.tsx";

export interface EditorProps {
  readonly schema: JsonValue;
  readonly value: JsonValue;
  readonly onChange: (value: JsonValue) => void;
  /** False while the JSON is none. */
  readonly onSound: (sound: boolean) => void;
  readonly label: string;
}

export function ArgumentsEditor({ schema, value, onChange, onSound, label }: EditorProps) {
  const id = useId();
  const outside = pretty(value);
  const [typed, setTyped] = useState({ text: outside, of: outside });
  const text = typed.of === outside ? typed.text : outside;
  const wrong = whyNotJson(text) ?? (isRecord(readExact(text)) ? null : "Arguments are an object: { … }.");
  const field = fieldOf(schema, schema);
  const object = field.kind === "object" ? field : null;
  const empty = object !== null && object.members.length === 0 && object.others === null;
  return (
    <div class="editor">
      <fieldset class="form" aria-label={`${label}: form`}>
        {field.kind === "variants" ? (
          <FieldView
            item
            required
            name={label}
            schema={schema}
            root={schema}
            value={value}
            depth={0}
            onChange={(next) => change(next ?? {})}
          />
        ) : object === null ? (
          <p class="soft">The schema has no members that a form could show. Write the JSON.</p>
        ) : empty || (object.members.length === 0 && Object.keys(schemaOf(schema)).length <= 2) ? (
          <p class="soft">No arguments are needed.</p>
        ) : (
          <ObjectInput
            root={schema}
            value={value}
            onChange={(next) => change(next ?? {})}
            depth={0}
            label={label}
            object={object}
          />
        )}
      </fieldset>
      <div class="raw">
        <div class="raw-head">
          <label for={id}>JSON</label>
          <CopyButton text={() => text} />
        </div>
        <textarea
          id={id}
          class="mono"
          rows={Math.min(24, Math.max(3, text.split("\n").length))}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={wrong !== null}
          value={text}
          onInput={(event) => typeIn(event.currentTarget.value)}
        />
        <p class="problem" role="status">
          {wrong}
        </p>
      </div>
    </div>
  );

  function change(next: JsonValue): void {
    const written = pretty(next);
    setTyped({ text: written, of: written });
    onSound(true);
    onChange(next);
  }

  function typeIn(next: string): void {
    const read = whyNotJson(next) === null ? readExact(next) : undefined;
    if (read === undefined || !isRecord(read)) {
      setTyped({ text: next, of: outside });
      onSound(false);
      return;
    }
    setTyped({ text: next, of: pretty(read) });
    onSound(true);
    onChange(read);
  }
}

function schemaOf(schema: JsonValue): object {
  return isRecord(schema) ? schema : {};
}
