/** What operations work with; put together once by server/, by tests with a fake clock. */
import type { BudgetRules, Clock, Exchange, Logger, Meter, Tracer } from "../spec/index.ts";
import type { Store } from "../store/index.ts";
import type { WatchRules } from "./watch/rules.ts";
import type { SecretBox } from "./webhooks/secret-box.ts";

/** How the catalog names itself. */
export interface CatalogIdentity {
  readonly name: string;
  readonly description: string;
  /** Public base URL without a trailing slash; every URL in a published document starts with it. */
  readonly url: string;
  readonly operator: string | null;
  readonly version: string;
}

export interface CatalogContext {
  readonly identity: CatalogIdentity;
  readonly store: Store;
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meter: Meter;
  readonly tracer: Tracer;
  /** Seals subscribers' secrets; absent: they are kept as they are. */
  readonly secrets?: SecretBox;
  /** Where an import reads that is told of no registry; absent: the official one. */
  readonly registry?: string;
  /** A fresh unguessable id. */
  readonly newId: () => string;
  /** Absent: nothing is planned, and two looks confirm an outage. */
  readonly watch?: WatchRules;
  /** What each client may ask for; absent: nothing is limited. */
  readonly budgets?: BudgetRules;
}
