/** One of several shapes: which one, and then its field. */
import { useState } from "preact/hooks";
import type { Field } from "../schema/field.ts";
import { itemOf, startOf, variantOf } from "../schema/start.ts";
import { type BodyProps, FieldView } from "./field-view.tsx";

export function VariantsInput({
  id,
  root,
  value,
  onChange,
  depth,
  label,
  variants: field,
}: BodyProps & { readonly variants: Field & { readonly kind: "variants" } }) {
  const [chosen, choose] = useState<number | null>(null);
  if (value === undefined) return null;
  const at = chosen ?? variantOf(value, { field, root });
  const schema = field.variants[at]?.schema;
  return (
    <div class="variants">
      <select
        id={id}
        aria-label={`Kind of ${label}`}
        value={String(at)}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          const wanted = field.variants[next]?.schema;
          choose(next);
          onChange(startOf(wanted, root) ?? itemOf(wanted, root));
        }}
      >
        {field.variants.map((variant, index) => (
          <option key={variant.label + String(index)} value={String(index)}>
            {variant.label}
          </option>
        ))}
      </select>
      <FieldView
        item
        required
        name={field.variants[at]?.label ?? label}
        schema={schema}
        root={root}
        value={value}
        depth={depth + 1}
        onChange={(next) => onChange(next ?? itemOf(schema, root))}
      />
    </div>
  );
}
