/** An object's members, those that the schema names first, and those that it allows beside them. */
import { useId, useState } from "preact/hooks";
import type { JsonValue } from "../../../src/spec/index.ts";
import { isRecord, own, withMember } from "../json/exact.ts";
import type { Field } from "../schema/field.ts";
import { itemOf } from "../schema/start.ts";
import { type BodyProps, FieldView } from "./field-view.tsx";

export function ObjectInput({
  root,
  value,
  onChange,
  depth,
  label,
  object,
}: Pick<BodyProps, "root" | "value" | "onChange" | "depth" | "label"> & {
  readonly object: Field & { readonly kind: "object" };
}) {
  if (value === undefined) return null;
  const known = new Set(object.members.map(({ name }) => name));
  const others = isRecord(value) ? Object.keys(value).filter((name) => !known.has(name)) : [];
  const set = (name: string, member: JsonValue | undefined): void =>
    onChange(withMember(value, name, member));
  return (
    <div class="members">
      {object.members.map(({ name, schema, required }) => (
        <FieldView
          key={name}
          name={name}
          schema={schema}
          root={root}
          required={required}
          depth={depth + 1}
          value={own(value, name)}
          onChange={(member) => set(name, member)}
        />
      ))}
      {others.map((name) => (
        <FieldView
          key={`other:${name}`}
          name={name}
          schema={object.others ?? {}}
          root={root}
          required={false}
          depth={depth + 1}
          value={own(value, name)}
          onChange={(member) => set(name, member)}
        />
      ))}
      {object.others !== null && (
        <AddMember
          label={label}
          taken={(name) => known.has(name) || others.includes(name)}
          onAdd={(name) => set(name, itemOf(object.others ?? {}, root))}
        />
      )}
    </div>
  );
}

function AddMember(given: {
  readonly label: string;
  readonly taken: (name: string) => boolean;
  readonly onAdd: (name: string) => void;
}) {
  const { label, taken, onAdd } = given;
  const [name, setName] = useState("");
  const id = useId();
  const add = (): void => {
    if (name === "" || taken(name)) return;
    onAdd(name);
    setName("");
  };
  return (
    <div class="row add-member">
      <label class="visually-hidden" for={id}>
        Name of another member of {label}
      </label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        placeholder="another name"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" class="small" disabled={name === "" || taken(name)} onClick={add}>
        Add
      </button>
    </div>
  );
}
