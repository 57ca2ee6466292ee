/** The refusal of a place in the log of changes that is not there: its reader has missed something, and has to know. */
import { OpenMcpError } from "../spec/index.ts";
import type { ChangeStore } from "../store/index.ts";

/** @throws OpenMcpError `gone`, with the places there are in `data`. */
export async function checkSince(
  since: number,
  log: Pick<ChangeStore, "goesOnFrom" | "oldest" | "latest">,
): Promise<void> {
  if (await log.goesOnFrom(since)) return;
  const oldest = await log.oldest();
  const latest = await log.latest();
  const why =
    since + 1 >= oldest
      ? `there is no change ${since} in this catalog's log, which may have been restored from a backup`
      : `changes before ${oldest} are no longer kept`;
  throw new OpenMcpError("gone", `${why}: list the relays anew, and go on from since=${latest}`, {
    data: { field: "since", since, oldest, latest },
  });
}
