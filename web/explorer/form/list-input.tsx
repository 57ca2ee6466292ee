/** Items in their order: added, taken away, moved up. */
import type { JsonValue } from "../../../src/spec/index.ts";
import type { Field } from "../schema/field.ts";
import { itemOf } from "../schema/start.ts";
import { type BodyProps, FieldView } from "./field-view.tsx";

export function ListInput({
  root,
  value,
  onChange,
  depth,
  label,
  list,
}: BodyProps & { readonly list: Field & { readonly kind: "list" } }) {
  if (value === undefined) return null;
  const items = value as readonly JsonValue[];
  const schemaAt = (at: number): JsonValue | undefined => list.first[at] ?? list.items ?? undefined;
  const next = schemaAt(items.length);
  return (
    <div class="list">
      {items.map((item, at) => (
        <div class="item" key={at}>
          <FieldView
            item
            required
            name={`Item ${at + 1}`}
            schema={schemaAt(at)}
            root={root}
            value={item}
            depth={depth + 1}
            onChange={(changed) => onChange(items.with(at, changed ?? null))}
          />
          <div class="item-actions">
            {at > 0 && (
              <button
                type="button"
                class="quiet"
                aria-label={`Move item ${at + 1} of ${label} up`}
                onClick={() => onChange(items.with(at, items[at - 1] as JsonValue).with(at - 1, item))}
              >
                ↑
              </button>
            )}
            <button
              type="button"
              class="quiet"
              aria-label={`Remove item ${at + 1} of ${label}`}
              onClick={() => onChange(items.toSpliced(at, 1))}
            >
              Remove
            </button>
          </div>
        </div>
      ))}
      {next !== undefined && (
        <button
          type="button"
          class="small"
          aria-label={`Add an item to ${label}`}
          onClick={() => onChange([...items, itemOf(next, root)])}
        >
          Add an item
        </button>
      )}
    </div>
  );
}
