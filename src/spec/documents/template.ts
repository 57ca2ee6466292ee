/** Placeholders in a template, `{name}`, found in one pass; what is put in for them is never looked at again. */

/** A part of a template: literal text, or the name of a placeholder. */
export type TemplatePart = { readonly literal: string } | { readonly placeholder: string };

export const VARIABLE_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** A brace without its partner is literal. */
export function templateParts(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const found of template.matchAll(/\{([^{}]*)\}/g)) {
    if (found.index > from) parts.push({ literal: template.slice(from, found.index) });
    parts.push({ placeholder: found[1] ?? "" });
    from = found.index + found[0].length;
  }
  if (from < template.length) parts.push({ literal: template.slice(from) });
  return parts;
}

/** Without doubles, in their order. */
export function placeholdersOf(template: string): readonly string[] {
  return [
    ...new Set(templateParts(template).flatMap((part) => ("placeholder" in part ? [part.placeholder] : []))),
  ];
}

/** The literal text alone, a mark in place of each placeholder. */
export function literalOf(template: string, mark = ""): string {
  return templateParts(template)
    .map((part) => ("literal" in part ? part.literal : mark))
    .join("");
}
