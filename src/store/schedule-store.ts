/**
 * When each relay is looked at next, and who is looking at it now. A look is leased: one worker has the relay until it
 * writes what it found, hands it back, or its lease runs out, so that several processes over one store and a crash
 * neither lose nor double a look. The times themselves come with the records (`probe.nextAt`); nothing is decided here.
 */

/** Where a relay lives, as far as politeness goes. */
export interface RelayPlace {
  /** Host name of its endpoint, whatever the port. */
  readonly host: string;
  /** Registrable domain of the host, or the host where it has none. */
  readonly domain: string;
}

export interface LeasedRelay extends RelayPlace {
  readonly id: string;
}

export interface LeaseAsk {
  /** Unguessable id of the worker: its leases are its own until they run out. */
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds that a lease lasts without being renewed. */
  readonly leaseMs: number;
  /** Relays to lease at most. */
  readonly limit: number;
  /** Leases at once at one host and in one domain, of all workers together; those older than `slowMs` don't count. */
  readonly perHost: number;
  readonly perDomain: number;
  /** Milliseconds after which a lease stands for a slow relay, which should hold up no other. */
  readonly slowMs: number;
  /** Leases at once at one host and in one domain, slow ones too. */
  readonly mostPerHost: number;
  readonly mostPerDomain: number;
}

export interface Leased {
  /** Never planned first, then by the time that was planned. */
  readonly relays: readonly LeasedRelay[];
  /** True when more may be due: beyond the limit, or at places that are full. */
  readonly more: boolean;
}

export interface ScheduleStore {
  /**
   * Leases relays that are due and nobody's. Leases of others that have run out are dropped first, and so are those that
   * end more than a whole lease later than a lease of now would: the clock was set back, and nobody may wait for the old time.
   * Less is no sign of it: others' clocks differ a little, and `now` is older than a lease that was written while this one waited.
   */
  lease(ask: LeaseAsk): Promise<Leased>;
  /** Makes all leases of `owner` last until `until`; those that were lost meanwhile stay lost. */
  renew(owner: string, until: number): Promise<void>;
  /** Ends leases without a result: of one relay, which is due again at `dueAt`; without `one` all, due as they were. */
  handBack(owner: string, one?: { readonly relay: string; readonly dueAt: number }): Promise<void>;
  /**
   * Makes due at once what is planned further ahead than anyone would plan now: the clock was set back, or the period
   * was made shorter. `online`: the latest time for relays that are online, `any` for all. Gives their number.
   */
  recall(latest: { readonly now: number; readonly online: number; readonly any: number }): Promise<number>;
  /** The earliest time that is planned for a relay that is nobody's; 0: one was never planned; null: there is none. */
  nextDue(): Promise<number | null>;
  counts(now: number): Promise<{ readonly due: number; readonly leased: number }>;
}
