/**
 * Node's own modules for a server over stdio, asked for and not imported: the names that an `import` of one offers are all looked up
 * when the process starts, and what Node would load with their first use (`fs.promises`, `buffer.File`) is loaded for nobody.
 */

/** The module as its `import` gives it by default. */
export const builtin: typeof process.getBuiltinModule = (name: string) =>
  process.getBuiltinModule(name) as never;
