/**
 * What an update changed, for those who are told of it: beside diffRecords, which says that it is one. Pure.
 * The two agree on what counts: descriptor, tools, verified.
 */
import type { ChangeDetail } from "./change.ts";
import { changedPaths } from "./changed-paths.ts";
import { type DiffOptions, diffTools } from "./diff-tools.ts";
import type { RelayRecord } from "./record.ts";

/** Empty where nothing that counts as content changed. */
export function describeChange(before: RelayRecord, after: RelayRecord, options: DiffOptions): ChangeDetail {
  const tools = diffTools(before.tools, after.tools, options);
  const descriptor = changedPaths(before.descriptor, after.descriptor);
  const describedAnew = (before.toolsFrom === "descriptor") !== (after.toolsFrom === "descriptor");
  return {
    ...(tools === null ? {} : { tools }),
    ...(descriptor.length === 0 ? {} : { descriptor }),
    ...(before.verified === after.verified ? {} : { verified: after.verified }),
    ...(tools !== null && describedAnew ? { toolsFrom: after.toolsFrom } : {}),
  };
}
