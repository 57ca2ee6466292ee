/** One of several, several of several, and yes or no. A choice that may be absent has a line for that. */
import type { JsonValue } from "../../../src/spec/index.ts";
import { type Choice, type Field, labelOf } from "../schema/field.ts";

export interface InputProps {
  readonly id: string;
  readonly label: string;
  readonly field: Field;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue | undefined) => void;
  readonly required: boolean;
  readonly describedBy: string | undefined;
}

const same = (left: JsonValue | undefined, right: JsonValue | undefined): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

export function ChoiceInput({
  id,
  choices,
  value,
  onChange,
  describedBy,
  field,
}: InputProps & { readonly choices: readonly Choice[] }) {
  const all =
    field.nullable && !choices.some((choice) => choice.value === null) ? [...choices, NULL] : choices;
  const at = value === undefined ? -1 : all.findIndex((choice) => same(choice.value, value));
  return (
    <select
      id={id}
      aria-describedby={describedBy}
      value={String(at)}
      onChange={(event) => onChange(all[Number(event.currentTarget.value)]?.value)}
    >
      <option value="-1">—</option>
      {all.map((choice, index) => (
        <option key={index} value={String(index)}>
          {choice.label.slice(0, 200)}
          {typeof choice.value === "string" && choice.label !== choice.value
            ? ` (${labelOf(choice.value)})`
            : ""}
        </option>
      ))}
    </select>
  );
}

const NULL: Choice = { value: null, label: "null" };

export function BooleanInput({ id, value, onChange, describedBy }: InputProps) {
  return (
    <select
      id={id}
      aria-describedby={describedBy}
      value={value === undefined ? "" : String(value)}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        onChange(chosen === "" ? undefined : chosen === "true");
      }}
    >
      <option value="">—</option>
      <option value="true">true</option>
      <option value="false">false</option>
    </select>
  );
}

export function ChoicesInput({
  choices,
  value,
  onChange,
}: InputProps & { readonly choices: readonly Choice[] }) {
  const chosen = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  const strange = chosen.filter((item) => !choices.some((choice) => same(choice.value, item)));
  return (
    <div class="checks">
      {choices.map((choice, index) => (
        <label key={index} class="check">
          <input
            type="checkbox"
            checked={chosen.some((item) => same(item, choice.value))}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              const next = choices
                .map((each) => each.value)
                .filter((each) => (same(each, choice.value) ? on : chosen.some((item) => same(item, each))));
              onChange([...next, ...strange]);
            }}
          />
          <bdi>{choice.label.slice(0, 200)}</bdi>
        </label>
      ))}
    </div>
  );
}
