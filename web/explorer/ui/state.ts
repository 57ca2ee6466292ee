/** How a view follows a value. */
import { useEffect, useState } from "preact/hooks";
import type { Value } from "./value.ts";

/** The value as it is now; the view is drawn again when it changes. */
export function useValue<T>(value: Value<T>): T {
  const [, redraw] = useState(0);
  useEffect(() => value.follow(() => redraw((count) => count + 1)), [value]);
  return value.get();
}
