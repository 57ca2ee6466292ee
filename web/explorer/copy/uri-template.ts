/** The parts of a URI template, and the URI that they make (RFC 6570, as far as servers use it: levels 1 to 3 with single values). Pure. */

const EXPRESSION = /\{([+#./;?&]?)([^{}]{1,500})\}/g;

export function variablesOf(template: string): readonly string[] {
  const names = new Set<string>();
  for (const [, , inside = ""] of template.matchAll(EXPRESSION))
    for (const name of namesIn(inside)) names.add(name);
  return [...names].slice(0, 50);
}

/** A part without a value is left out, as the RFC has it. */
export function expand(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(EXPRESSION, (_whole, operator: string, inside: string) => {
    const { first, between, named, raw } = OPERATORS[operator] ?? OPERATORS[""];
    const parts = namesIn(inside).flatMap((name) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined || value === "") return [];
      const text = raw ? encodeURI(value) : encodeURIComponent(value);
      return [named ? `${name}=${text}` : text];
    });
    return parts.length === 0 ? "" : first + parts.join(between);
  });
}

function namesIn(inside: string): readonly string[] {
  return inside.split(",").map((name) => name.trim().replace(/(?:\*|:\d{1,4})$/, ""));
}

interface Operator {
  readonly first: string;
  readonly between: string;
  readonly named: boolean;
  readonly raw: boolean;
}

const OPERATORS: Readonly<Record<string, Operator>> & { readonly "": Operator } = {
  "": { first: "", between: ",", named: false, raw: false },
  "+": { first: "", between: ",", named: false, raw: true },
  "#": { first: "#", between: ",", named: false, raw: true },
  ".": { first: ".", between: ".", named: false, raw: false },
  "/": { first: "/", between: "/", named: false, raw: false },
  ";": { first: ";", between: ";", named: true, raw: false },
  "?": { first: "?", between: "&", named: true, raw: false },
  "&": { first: "&", between: "&", named: true, raw: false },
};
