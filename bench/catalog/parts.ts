/** What each measurement of the catalog is given. */
import type { Child } from "../lib/child.ts";
import type { Relays } from "../lib/relays.ts";

export interface Parts {
  readonly catalog: Child<{ url: string }>;
  readonly relays: Relays;
  /** The bare router. */
  readonly bare: Child<{ origin: string }>;
  readonly size: number;
}
