/** What was typed for each tool, its call under way and its last result, while the tab lives: leaving a tool and coming back loses nothing. */
import type { JsonValue } from "../../src/spec/index.ts";
import type { Progress } from "./connection/link.ts";
import type { Call, Session } from "./session.ts";
import { createValue, type Value } from "./ui/value.ts";

export interface Draft {
  /** Null: as the form starts. */
  readonly args: JsonValue | null;
  readonly call: Call | null;
  /** Ends the call under way. */
  readonly running: AbortController | null;
  readonly progress: Progress | null;
}

const drafts = new WeakMap<Session, Map<string, Value<Draft>>>();

export function draftOf(session: Session, tool: string): Value<Draft> {
  const all = drafts.get(session) ?? new Map<string, Value<Draft>>();
  drafts.set(session, all);
  const draft =
    all.get(tool) ?? createValue<Draft>({ args: null, call: null, running: null, progress: null });
  all.set(tool, draft);
  return draft;
}
