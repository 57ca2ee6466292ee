/** A store whose questions are spans, a name for each part of it: `store.relays`. Outside of a span nothing is recorded. */
import type { Store } from "../../store/index.ts";
import type { Tracing } from "./tracing.ts";

export function tracedStore(store: Store, { tracer, active }: Tracing): Store {
  const parts = new Map<string | symbol, object>();
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "object" || value === null) return value;
      const known = parts.get(name);
      if (known !== undefined) return known;
      const traced = tracedPart(value, String(name));
      parts.set(name, traced);
      return traced;
    },
  });

  function tracedPart(part: object, name: string): object {
    return new Proxy(part, {
      get(target, method) {
        const value: unknown = Reflect.get(target, method);
        // What answers at once, such as a subscription to changes, is no question.
        if (typeof value !== "function" || !isQuestion(value)) return value;
        return (...given: unknown[]): unknown => {
          const ask = (): Promise<unknown> => Reflect.apply(value, target, given);
          if (!active()) return ask();
          const attributes = { "db.system.name": "sqlite", "db.operation.name": String(method) };
          return tracer.span(`store.${name}`, { attributes }, ask);
        };
      },
    });
  }
}

/** Every question of a store answers with a promise; the listener's registration is the exception. */
function isQuestion(method: { readonly name: string }): boolean {
  return method.name !== "onAppend";
}
