/** The refusal of a place in the log of changes that is not there: its reader has missed something, and has to know. */
import { OpenMcpError } from "../spec/index.ts";

/** @throws OpenMcpError `gone`, with the places there are in `data`. */
export function checkSince(since: number, log: { readonly oldest: number; readonly latest: number }): void {
  const { oldest, latest } = log;
  if (since + 1 >= oldest && since <= latest) return;
  const why =
    since > latest
      ? `there is no change ${since} in this catalog's log, which may have been restored from a backup`
      : `changes before ${oldest} are no longer kept`;
  throw new OpenMcpError("gone", `${why}: list the relays anew, and go on from since=${latest}`, {
    data: { field: "since", since, oldest, latest },
  });
}
