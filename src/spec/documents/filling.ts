/** What filling a template is told in: the inputs that are wanted, what is wrong with those given, and what came out. Types only. */
import type { Input } from "./server-card.ts";

/** An input that is to be asked for. */
export interface WantedInput {
  /** The name under which its value is given; of a header without placeholders, the header's. */
  readonly name: string;
  readonly where: "variable" | "header";
  readonly required: boolean;
  readonly input: Input;
}

/** What is wrong with one value; `message` does not repeat it. */
export interface InputProblem {
  readonly name: string;
  readonly problem:
    | "missing"
    | "not-a-choice"
    | "line-break"
    | "not-of-its-format"
    | "changes-the-target"
    | "not-a-url"
    | "not-a-header";
  readonly message: string;
}

export type RemoteFilling =
  | { readonly ok: true; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  /** All that is missing or wrong, at once. */
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** A part of a template with its value; `value` is null where there is none, and a problem was reported. */
export type FilledPart =
  | { readonly literal: string }
  | { readonly name: string; readonly value: string | null };
