/**
 * As much of `pg` as is used: a pool, which gives connections. Written down here, so that whoever hands a pool in needs no types of
 * ours, and whoever has no PostgreSQL needs no `pg`.
 */

export interface PostgresResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly rowCount: number | null;
}

export interface PostgresConnection {
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  on(event: "notification", listener: (notice: { readonly payload?: string | undefined }) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  /** True: it is not used again. */
  release(destroy?: boolean): void;
}

/** A `Pool` of `pg`. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<PostgresResult>;
  connect(): Promise<PostgresConnection>;
}
