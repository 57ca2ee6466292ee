/**
 * One value of the form: its name, what the schema says of it, the input, and the way to leave it out. A value that is not there is
 * undefined and is not sent. Values that no field holds are written as JSON.
 */
import { useId } from "preact/hooks";
import type { JsonValue } from "../../../src/spec/index.ts";
import { isRecord, pretty } from "../json/exact.ts";
import { MAX_FORM_DEPTH } from "../limits.ts";
import { type Field, fieldOf, labelOf } from "../schema/field.ts";
import { itemOf, startOf } from "../schema/start.ts";
import { Name, Prose } from "../ui/texts.tsx";
import { BooleanInput, ChoiceInput, ChoicesInput, type InputProps } from "./choice-input.tsx";
import { FileInput } from "./file-input.tsx";
import { JsonInput } from "./json-input.tsx";
import { ListInput } from "./list-input.tsx";
import { NumberInput } from "./number-input.tsx";
import { ObjectInput } from "./object-input.tsx";
import { TextInput } from "./text-input.tsx";
import { VariantsInput } from "./variants-input.tsx";

export interface FieldProps {
  /** As it is called where it stands: a member's name, "Item 1". */
  readonly name: string;
  readonly schema: JsonValue | undefined;
  readonly root: JsonValue;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue | undefined) => void;
  readonly required: boolean;
  readonly depth: number;
  /** Inside a list there is no leaving out; the list removes. */
  readonly item?: boolean;
}

export function FieldView({
  name,
  schema,
  root,
  value,
  onChange,
  required,
  depth,
  item = false,
}: FieldProps) {
  const id = useId();
  const field = fieldOf(schema, root);
  const group = isGroup(field);
  const label = field.title ?? name;
  const about = `${id}-about`;
  const absent = value === undefined;
  const hints = hintsOf(field);
  const described = field.description !== null || hints.length > 0;
  const body = {
    id,
    field,
    root,
    value,
    onChange,
    required,
    depth,
    describedBy: described ? about : undefined,
    label,
  };
  const head = (
    <>
      <Name text={label} />
      {/* Read aloud, they are two words. */}
      {field.title !== null && field.title !== name && !item && (
        <>
          {" "}
          <Name text={name} code />
        </>
      )}
      {required && !item && <span class="required"> required</span>}
      {field.deprecated && <span class="soft"> deprecated</span>}
    </>
  );
  const addable = absent && startable(field);
  const leavable = !absent && !required && !item;
  const nullable = field.nullable && value !== null && field.kind !== "choice";
  const actions = (addable || leavable || nullable) && (
    <span class="field-actions">
      {nullable && (
        <button type="button" class="quiet" aria-label={`null for ${label}`} onClick={() => onChange(null)}>
          null
        </button>
      )}
      {addable && (
        <button
          type="button"
          class="quiet"
          aria-label={`Add ${label}`}
          onClick={() => onChange(startOf(schema, root) ?? itemOf(schema, root))}
        >
          Add
        </button>
      )}
      {leavable && (
        <button
          type="button"
          class="quiet"
          aria-label={`Leave out ${label}`}
          onClick={() => onChange(undefined)}
        >
          Leave out
        </button>
      )}
    </span>
  );
  const description = described && (
    <div id={about} class="about">
      {field.description !== null && <Prose text={field.description} />}
      {hints.length > 0 && <p class="soft">{hints.join(" · ")}</p>}
    </div>
  );
  if (group && addable) {
    return (
      <div class="field">
        <div class="field-head">
          <span class="label">{head}</span>
          {actions}
        </div>
        {description}
      </div>
    );
  }
  if (group) {
    return (
      <fieldset class="field group" aria-describedby={described ? about : undefined}>
        <legend>{head}</legend>
        {actions}
        {description}
        <Body {...body} />
      </fieldset>
    );
  }
  return (
    <div class="field">
      <div class="field-head">
        <label for={id}>{head}</label>
        {actions}
      </div>
      {description}
      <Body {...body} />
    </div>
  );
}

export interface BodyProps extends InputProps {
  readonly root: JsonValue;
  readonly depth: number;
}

function Body(props: BodyProps) {
  const { field, value, onChange, depth, label } = props;
  if (value === null && field.nullable && field.kind !== "choice") {
    return (
      <p class="null-value">
        <code>null</code>
        <button
          type="button"
          class="quiet"
          aria-label={`Give a value to ${label}`}
          onClick={() => onChange(undefined)}
        >
          Give a value
        </button>
      </p>
    );
  }
  if (!holds(field, value) || (depth >= MAX_FORM_DEPTH && isGroup(field))) return <JsonInput {...props} />;
  switch (field.kind) {
    case "text":
      return field.format === "base64" || field.format === "data-url" ? (
        <FileInput {...props} format={field.format} />
      ) : (
        <TextInput {...props} format={field.format} long={field.long} />
      );
    case "number":
      return <NumberInput {...props} integer={field.integer} />;
    case "boolean":
      return <BooleanInput {...props} />;
    case "choice":
      return <ChoiceInput {...props} choices={field.choices} />;
    case "choices":
      return <ChoicesInput {...props} choices={field.choices} />;
    case "fixed":
      return <Fixed {...props} fixed={field.value} />;
    case "list":
      return <ListInput {...props} list={field} />;
    case "object":
      return <ObjectInput {...props} object={field} />;
    case "variants":
      return <VariantsInput {...props} variants={field} />;
    case "json":
      return <JsonInput {...props} />;
  }
}

/** Always the same: it is there or it is not. */
function Fixed({ id, fixed, value, onChange, required }: InputProps & { readonly fixed: JsonValue }) {
  return (
    <label class="check">
      <input
        id={id}
        type="checkbox"
        checked={value !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked || required ? fixed : undefined)}
      />
      <code>{labelOf(fixed)}</code>
    </label>
  );
}

function isGroup(field: Field): boolean {
  return ["object", "list", "choices", "variants"].includes(field.kind);
}

/** Absent ones show nothing of themselves until they are added: so a schema that refers to itself ends. */
function startable(field: Field): boolean {
  return field.kind === "object" || field.kind === "list" || field.kind === "variants";
}

/** Whether the field's input can show the value; one that came as JSON may be of any kind. */
function holds(field: Field, value: JsonValue | undefined): boolean {
  if (value === undefined) return true;
  switch (field.kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return (
        typeof value === "number" || (typeof value === "object" && !Array.isArray(value) && !isRecord(value))
      );
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return field.choices.some((choice) => JSON.stringify(choice.value) === JSON.stringify(value));
    case "fixed":
      return JSON.stringify(field.value) === JSON.stringify(value);
    case "list":
    case "choices":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    default:
      return true;
  }
}

function hintsOf(field: Field): readonly string[] {
  const hints = [...field.rules];
  if (field.kind === "number" && field.integer) hints.unshift("whole number");
  if (field.fallback !== undefined) hints.push(`default ${short(field.fallback)}`);
  if (field.examples.length > 0) hints.push(`such as ${field.examples.map(short).join(", ")}`);
  if (field.kind === "json" && field.why !== null) hints.push(field.why);
  return hints;
}

function short(value: JsonValue): string {
  const text = typeof value === "object" ? pretty(value).replace(/\s+/g, " ") : labelOf(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
