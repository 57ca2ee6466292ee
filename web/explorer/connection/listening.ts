/**
 * What a server of the modern era tells of changes comes on a stream that is asked for. It is opened again where it breaks off, since
 * proxies and catalogs end streams that last; not where the server ended it in so many words.
 */
import type { Client, SubscriptionFilter } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../../../src/spec/index.ts";
import { RELISTEN_MS } from "../limits.ts";

/** Rejects when the first one can't be opened. Gives the way to end it. `pause` is what lies before the next. */
export async function keepListening(
  client: Client,
  filter: SubscriptionFilter,
  { pause = relistenPause }: { readonly pause?: () => Promise<unknown> } = {},
): Promise<() => Promise<void>> {
  let wanted = true;
  let stream = await client.listen(filter);
  void follow();
  return () => {
    wanted = false;
    return stream.close();
  };

  async function follow(): Promise<void> {
    while ((await stream.closed) === "remote" && wanted) {
      await pause();
      if (!wanted) return;
      try {
        stream = await client.listen(filter);
      } catch {
        return;
      }
      if (!wanted) await stream.close();
    }
  }
}

const relistenPause = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, RELISTEN_MS));

/** The lists whose changes a server says that it tells of; null for none. */
export function changingLists({ tools, resources, prompts }: JsonObject): SubscriptionFilter | null {
  const tells = (of: unknown): boolean => isJsonObject(of) && of.listChanged === true;
  const filter = {
    ...(tells(tools) ? { toolsListChanged: true } : {}),
    ...(tells(resources) ? { resourcesListChanged: true } : {}),
    ...(tells(prompts) ? { promptsListChanged: true } : {}),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}
