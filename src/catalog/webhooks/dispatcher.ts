/**
 * Delivers what the outbox holds. One loop does all writing: it takes results back, expands changes, claims subscriptions
 * and starts their turns; turns only deliver. So a burst is a few transactions, and a kill at any moment repeats the few
 * deliveries whose result was not written, under their own ids, and loses none.
 *
 * Receivers that answer and receivers that don't have places of their own: a hanging one waits among its like.
 */
import type { ClaimedWebhook, OutboxRecall, WebhookReport } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { createDoorbell } from "../doorbell.ts";
import { WORKER_RETRY_MS } from "../limits.ts";
import { shared } from "../shared.ts";
import { breathe, createWorker, slept, type Worker } from "../worker.ts";
import { createBodies } from "./bodies.ts";
import {
  ATTEMPT_JITTER,
  ATTEMPT_PAUSES_MS,
  DELIVERIES_FORGOTTEN,
  DELIVERIES_KEPT,
  DELIVERIES_PER_TURN,
  DELIVERY_GRACE_MS,
  DELIVERY_KEPT_MS,
  DISPATCHER_ALIVE_MS,
  FORGET_EVERY_MS,
  MAX_ATTEMPT_PAUSE_MS,
  MAX_PAUSED_RELAYS,
  OUTBOX_TICK_MS,
  PAIRS_PER_STEP,
  QUICK_DELIVERIES,
  SLOW_AFTER_MS,
  SLOW_SUBSCRIPTIONS,
  TURNS_AT_ONCE,
} from "./limits.ts";
import { reseal } from "./reseal.ts";
import { secretsOf } from "./secrets-of.ts";
import { createTurn, type Turn, type TurnTools } from "./turn.ts";

export interface DispatcherOptions {
  /** From 0 to 1, for the jitter of pauses. Default `Math.random`. */
  readonly random?: () => number;
}

export function createWebhookDispatcher(context: CatalogContext, options: DispatcherOptions = {}): Worker {
  const { store, clock, logger, meter, identity } = context;
  const { webhooks } = store;

  return createWorker(async (stopping) => {
    const me = context.newId();
    const abort = new AbortController();
    const bell = createDoorbell(stopping);
    const hush = [store.changes.onAppend(bell.ring), shared(store).webhooks.listen(bell.ring)];
    const turns = new Map<number, Turn>();
    const running = new Set<Promise<void>>();
    /** Deliveries under way beside the first of their turn. */
    let extra = 0;
    const quick = (): number => [...turns.values()].filter((turn) => !turn.slow).length;
    const tools: TurnTools = {
      exchange: context.exchange,
      clock,
      meter,
      bodies: createBodies(webhooks, identity.url),
      userAgent: `OpenMCP/${identity.version} (+${identity.url})`,
      random: options.random ?? Math.random,
      holds: (webhook) => webhooks.holds(webhook, me),
      takePlace() {
        if (quick() + extra >= QUICK_DELIVERIES) return false;
        extra += 1;
        return true;
      },
      givePlace() {
        extra -= 1;
      },
      stopping,
      abort: abort.signal,
    };

    async function loop(): Promise<void> {
      while (!stopping.aborted) {
        try {
          await takeBack();
          await breathe();
          const more = await webhooks.expand(clock.now(), PAIRS_PER_STEP);
          await breathe();
          await claim();
          if (more) await breathe();
          else await bell.rung();
        } catch (error) {
          logger.error(
            { error: String(error) },
            "webhooks: the outbox could not be worked on; it is tried again",
          );
          if (!(await slept(clock, WORKER_RETRY_MS, stopping))) return;
        }
      }
    }

    /** Writes what the turns have to say; what can't be written now is kept by them. */
    async function takeBack(): Promise<void> {
      const told = [...turns.values()].map((turn) => turn.collect()).filter((report) => report !== null);
      for (let from = 0; from < told.length; from += TURNS_AT_ONCE) {
        if (from > 0) await breathe();
        await write(told.slice(from, from + TURNS_AT_ONCE));
      }
    }

    async function write(reports: readonly WebhookReport[]): Promise<void> {
      for (;;) {
        try {
          await webhooks.report(reports, { dispatcher: me, now: clock.now(), keep: DELIVERIES_KEPT });
          break;
        } catch (error) {
          logger.error(
            { error: String(error) },
            "webhooks: results could not be written; they are tried again",
          );
          // At a stop they are lost, and what they tell of is delivered once more.
          if (!(await slept(clock, WORKER_RETRY_MS, stopping))) break;
        }
      }
      for (const report of reports) {
        if (report.done) turns.delete(report.webhook);
        if (!report.active) {
          logger.warn(
            { webhook: report.webhook },
            "webhooks: a subscription failed too often and is inactive now",
          );
        }
      }
    }

    async function claim(): Promise<void> {
      for (const doubtful of [false, true]) {
        const begun: Turn[] = [];
        for (let more = true; more; ) {
          const room = doubtful
            ? SLOW_SUBSCRIPTIONS - (turns.size - quick())
            : QUICK_DELIVERIES - quick() - extra;
          if (room <= 0) break;
          const now = clock.now();
          const limit = Math.min(room, TURNS_AT_ONCE);
          const claimed = await webhooks.claim({
            dispatcher: me,
            now,
            aliveUntil: now + DISPATCHER_ALIVE_MS,
            doubtful,
            limit,
            each: DELIVERIES_PER_TURN,
            maxPaused: MAX_PAUSED_RELAYS,
          });
          // One that we have already was let go by a late tick.
          const fresh = claimed.filter(({ key }) => !turns.has(key)).map(turnOf);
          for (const turn of fresh) turns.set(turn.webhook, turn);
          begun.push(...fresh);
          more = claimed.length === limit && !stopping.aborted;
          if (more) await breathe();
        }
        // All have their place before the first takes a second one.
        for (const turn of begun) run(turn);
      }
    }

    function turnOf(webhook: ClaimedWebhook): Turn {
      const secret = secretsOf(context).open(webhook.id, webhook.secret);
      if (secret === null) {
        logger.error(
          { webhook: webhook.key },
          "webhooks: no key opens this subscription's secret; it has to wait",
        );
      }
      return createTurn(webhook, secret, tools);
    }

    function run(turn: Turn): void {
      const end = turn
        .run()
        .catch((error) => logger.error({ error: String(error) }, "webhooks: a turn was broken off"))
        .finally(() => {
          running.delete(end);
          // All that end in one round of the event loop are written together.
          ringSoon();
        });
      running.add(end);
    }

    let ringing = false;
    function ringSoon(): void {
      if (ringing) return;
      ringing = true;
      setImmediate(() => {
        ringing = false;
        bell.ring();
      });
    }

    /** Says that we live while we have something, sorts out who is slow, and has the loop look for what others wrote and what has become due. */
    async function tick(): Promise<void> {
      let said = Number.NEGATIVE_INFINITY;
      let forgot = Number.NEGATIVE_INFINITY;
      let last = Number.POSITIVE_INFINITY;
      do {
        const now = clock.now();
        try {
          // At the start, and when the clock was set back: what was planned at another time.
          if (now < last) await webhooks.recall(beyondPlans(now));
          last = now;
          if (turns.size > 0 && Math.abs(now - said) >= DISPATCHER_ALIVE_MS / 3) {
            await webhooks.beat(me, now + DISPATCHER_ALIVE_MS);
            said = now;
          }
          if (Math.abs(now - forgot) >= FORGET_EVERY_MS) {
            await webhooks.forget(now - DELIVERY_KEPT_MS, DELIVERIES_FORGOTTEN);
            forgot = now;
          }
        } catch (error) {
          logger.error({ error: String(error) }, "webhooks: the store does not answer");
        }
        for (const turn of turns.values()) {
          if (
            !turn.slow &&
            now - turn.startedAt > SLOW_AFTER_MS &&
            turns.size - quick() < SLOW_SUBSCRIPTIONS
          ) {
            turn.slow = true;
          }
        }
        bell.ring();
      } while (await slept(clock, OUTBOX_TICK_MS, stopping));
    }

    /** What is under way gets a while to end; what does not is broken off, and handed back untried. */
    async function wind(): Promise<void> {
      const over = new AbortController();
      const all = Promise.all(running);
      const grace = slept(clock, DELIVERY_GRACE_MS, over.signal).then(() => abort.abort());
      await Promise.race([all, grace]);
      over.abort();
      await all;
      await takeBack();
      await webhooks.resign(me);
    }

    try {
      await reseal(context, stopping);
      await Promise.all([tick(), loop()]);
    } finally {
      for (const end of hush) end();
      await wind().catch((error) => {
        logger.error(
          { error: String(error) },
          "webhooks: the outbox could not be handed back; others take it over soon",
        );
      });
    }
  });
}

/** Twice what a dispatcher says: a clock set back a little makes nobody who lives lose what he has. */
function beyondPlans(now: number): OutboxRecall {
  return {
    now,
    attempt: now + Math.max(...ATTEMPT_PAUSES_MS) * (1 + ATTEMPT_JITTER),
    rest: now + MAX_ATTEMPT_PAUSE_MS,
    word: now + 2 * DISPATCHER_ALIVE_MS,
  };
}
