/** Fills a remote's template with what a person gave: one pass, nothing that changes where the literal parts point. */
import type { Input, Remote } from "./server-card.ts";

/** An input that is to be asked for. */
export interface WantedInput {
  /** The name under which its value is given. A header without variables is asked for by the header's name. */
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
    | "changes-the-host"
    | "not-a-url"
    | "not-a-header";
  readonly message: string;
}

export type RemoteFilling =
  | { readonly ok: true; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  /** All that is missing or wrong, at once. */
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** All inputs of a remote that may be given: those with a `value` of their own are not among them. */
export function remoteInputs(remote: Remote): readonly WantedInput[] {
  throw new Error(`not yet: ${remote.url}`);
}

/** `inputs`: values by name, of variables and of headers. What is filled still has to pass the network policy. */
export function fillRemote(remote: Remote, inputs: Readonly<Record<string, string>> = {}): RemoteFilling {
  throw new Error(`not yet: ${remote.url} ${Object.keys(inputs)}`);
}
