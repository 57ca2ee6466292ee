/** From whatever a door decoded to an operation's input, or the error that names the field. */
import { OpenMcpError } from "../spec/index.ts";
import type { Operation } from "./operation.ts";

/**
 * Checks `value` against the operation's input.
 * @throws OpenMcpError `invalid-input` with `data.field` (the first wrong one, dotted) and `data.issues`.
 */
export function readInput<Input>(
  operation: Pick<Operation<string, Input, unknown>, "input">,
  value: unknown,
): Input {
  const read = operation.input.safeParse(value);
  if (read.success) return read.data;
  const issues = read.error.issues.map((issue) => ({
    field: issue.path.map(String).join("."),
    message: issue.message,
  }));
  const first = issues[0] ?? { field: "", message: "the input is not of its form" };
  throw new OpenMcpError("invalid-input", first.message, { data: { field: first.field, issues } });
}
