/** Headers and variables as options have them. A value may name a variable of the environment, so that no secret is in the arguments. */
import { InvalidArgumentError } from "commander";
import { OpenMcpError } from "../../spec/index.ts";

/** Collects `Name: value`. */
export function headerOption(
  text: string,
  earlier: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined || value.trim() === "" || /[\r\n\0]/.test(value)) {
    throw new InvalidArgumentError('Give a header as "Name: value".');
  }
  return { ...earlier, [name]: value.trim() };
}

/** Collects `NAME=value`. */
export function variableOption(
  text: string,
  earlier: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError("Give a variable as NAME=value.");
  return { ...earlier, [name]: value };
}

/** `${NAME}` in a header's value is that variable's. @throws OpenMcpError `invalid-input` for one that is not set. */
export function filledHeaders(
  headers: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_all, variable: string) => {
        const held = env[variable];
        if (held !== undefined && held !== "") return held;
        throw new OpenMcpError(
          "invalid-input",
          `The header "${name}" wants the variable ${variable}, which is not set.`,
          {
            data: { field: "header" },
          },
        );
      }),
    ]),
  );
}
