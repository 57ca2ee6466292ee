/** How a view follows a value. */
import { useLayoutEffect, useState } from "preact/hooks";
import type { Value } from "./value.ts";

/** The value as it is now; the view is drawn again when it changes. Followed before the browser draws: a change in between would be lost. */
export function useValue<T>(value: Value<T>): T {
  const [, redraw] = useState(0);
  useLayoutEffect(() => value.follow(() => redraw((count) => count + 1)), [value]);
  return value.get();
}
