/** Brings kept secrets to the newest key, a page at a time: what was kept before there was a key, and under an older one. */
import type { CatalogContext } from "../context.ts";
import { breathe } from "../worker.ts";
import { SECRETS_PER_PAGE } from "./limits.ts";
import { secretsOf } from "./secrets-of.ts";

/** Those that no key opens stay as they are, and are counted in the log. Does not reject: the next start tries again. */
export async function reseal(context: CatalogContext, signal: AbortSignal): Promise<void> {
  const { store, logger } = context;
  const box = secretsOf(context);
  let sealed = 0;
  let lost = 0;
  try {
    for (let after = 0; !signal.aborted; await breathe()) {
      const page = await store.webhooks.secrets(after, SECRETS_PER_PAGE);
      for (const { key, id, secret: from } of page) {
        if (box.isCurrent(from)) continue;
        const secret = box.open(id, from);
        if (secret === null) lost += 1;
        else {
          await store.webhooks.reseal(key, { from, to: box.seal(id, secret) });
          sealed += 1;
        }
      }
      const last = page.at(-1);
      if (last === undefined || page.length < SECRETS_PER_PAGE) break;
      after = last.key;
    }
  } catch (error) {
    logger.error(
      { error: String(error) },
      "webhooks: secrets could not be sealed anew; the next start tries again",
    );
  }
  if (sealed > 0) logger.info({ secrets: sealed }, "webhooks: secrets were sealed anew");
  if (lost > 0) {
    logger.error(
      { secrets: lost },
      "webhooks: secrets that no key opens; give the key they were sealed with, too",
    );
  }
}
