/** What runs beside the operations: the index, bulk jobs, the sweep. server/ starts and closes them. */

export interface Worker extends AsyncDisposable {
  /** Idempotent; returns at once. */
  start(): void;
  /** Idempotent; stops intake and resolves when nothing of it is under way. */
  close(): Promise<void>;
}
