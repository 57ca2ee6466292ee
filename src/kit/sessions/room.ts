/**
 * Room for sessions: how many there are, and those that are being opened, which take their place before they have it. Without these,
 * all that open at one moment would find room for each.
 */
import type { SessionLimits } from "./legacy-options.ts";
import type { LiveSession } from "./live-session.ts";

/** A place that is taken; released when the session is there, or never will be. Any number of times. */
export interface Claim {
  release(): void;
}

export interface RoomOptions {
  /** In the order of use, the first not used for the longest time. */
  readonly live: ReadonlyMap<string, LiveSession>;
  readonly limits: Pick<SessionLimits, "max" | "maxOfUser">;
  readonly idle: (session: LiveSession) => boolean;
  /** Ends a session here; from its first moment the session is not in `live`. */
  readonly leave: (session: LiveSession) => Promise<void>;
}

export interface Room {
  /** A place for one more: at a limit the session that is idle for the longest time ends; null when none is idle. */
  claim(user: string | null): Promise<Claim | null>;
}

export function createRoom({ live, limits, idle, leave }: RoomOptions): Room {
  const claims = new Set<{ readonly user: string | null }>();

  /** Those of which one has to go; null where there is room. */
  function crowd(user: string | null): readonly LiveSession[] | null {
    const all = [...live.values()];
    if (user !== null) {
      const own = all.filter((session) => session.user === user);
      const opening = [...claims].filter((claim) => claim.user === user).length;
      if (own.length + opening >= limits.maxOfUser) return own;
    }
    return all.length + claims.size >= limits.max ? all : null;
  }

  return {
    async claim(user) {
      const tooMany = crowd(user);
      const oldest = tooMany?.find(idle);
      if (tooMany !== null && oldest === undefined) return null;
      const claim = { user };
      claims.add(claim);
      if (oldest !== undefined) await leave(oldest);
      return { release: () => void claims.delete(claim) };
    },
  };
}
