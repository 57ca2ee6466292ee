/** What one case of the store suite is; the cases are beside this file, the suite gathers them. */
import type { Store } from "../store.ts";

export interface StoreCase {
  readonly name: string;
  /** `store` is open and empty; the case leaves it open. */
  run(store: Store): Promise<void>;
}
