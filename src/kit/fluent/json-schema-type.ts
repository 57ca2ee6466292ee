/**
 * The TypeScript type that a JSON Schema literal describes, for schemas as they are written by hand: types, enums, properties, items,
 * unions. What it does not follow (`$ref`, `allOf`, patterns) is `unknown`, never a wrong promise. Types only.
 */

/** A JSON Schema as a literal. */
export type JsonSchemaLiteral = { readonly [key: string]: unknown };

interface ByType {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
}

type Properties<Schema> = Schema extends { readonly properties: infer Named } ? Named : Record<never, never>;
type Required<Schema> = Schema extends { readonly required: readonly (infer Names)[] } ? Names : never;

type ObjectOf<Schema> = {
  -readonly [Key in keyof Properties<Schema> as Key extends Required<Schema> ? Key : never]: FromJsonSchema<
    Properties<Schema>[Key]
  >;
} & {
  -readonly [Key in keyof Properties<Schema> as Key extends Required<Schema> ? never : Key]?: FromJsonSchema<
    Properties<Schema>[Key]
  >;
};

type OfType<Type, Schema> = Type extends keyof ByType
  ? ByType[Type]
  : Type extends "array"
    ? Schema extends { readonly items: infer Items }
      ? FromJsonSchema<Items>[]
      : unknown[]
    : Type extends "object"
      ? Schema extends { readonly properties: object }
        ? ObjectOf<Schema>
        : Record<string, unknown>
      : unknown;

/** Each member of a union by itself. */
type AnyOf<Schemas> = Schemas extends readonly (infer Each)[]
  ? Each extends unknown
    ? FromJsonSchema<Each>
    : never
  : unknown;

export type FromJsonSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly $ref: unknown } | { readonly allOf: unknown }
      ? unknown
      : Schema extends { readonly anyOf: infer Schemas }
        ? AnyOf<Schemas>
        : Schema extends { readonly oneOf: infer Schemas }
          ? AnyOf<Schemas>
          : Schema extends { readonly type: readonly (infer Types)[] }
            ? Types extends unknown
              ? OfType<Types, Schema>
              : never
            : Schema extends { readonly type: infer Type }
              ? OfType<Type, Schema>
              : unknown;
