/** The operations table: everything the catalog can do, by name. Doors and documents derive from it. */
import { bulk } from "./bulk.ts";
import { bulkJob } from "./bulk-job.ts";
import { call } from "./call.ts";
import { counts } from "./counts.ts";
import { find } from "./find.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import { refresh } from "./refresh.ts";
import { register } from "./register.ts";
import { remove } from "./remove.ts";
import { summaries } from "./summaries.ts";
import { tools } from "./tools.ts";

export const operations = {
  list,
  summaries,
  get,
  tools,
  find,
  call,
  register,
  bulk,
  bulkJob,
  refresh,
  remove,
  counts,
} as const;
