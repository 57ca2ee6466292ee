/** What is told of a backup that was made, and of one that took a catalog's place. */

export interface BackupReport {
  readonly bytes: number;
  readonly relays: number;
  readonly tools: number;
  /** Of the database in the file; an older one is brought up to date when it is restored. */
  readonly schemaVersion: number;
}

export interface RestoreReport extends BackupReport {
  /** Where the catalog's machine keeps the database that was there before; the next restore replaces it. Null: there was none. */
  readonly kept: string | null;
}
