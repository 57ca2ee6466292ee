/** Preloaded (`node --import`) where an example runs: the package's name then leads to its source, so that no build is tested in its place. */
import { registerHooks } from "node:module";

const entries: Readonly<Record<string, string>> = {
  "openmcp/kit": "kit/index.ts",
  "openmcp/kit/guard": "kit/guard.ts",
};

registerHooks({
  resolve(specifier, context, next) {
    const entry = entries[specifier];
    return next(
      entry === undefined ? specifier : new URL(`../../src/${entry}`, import.meta.url).href,
      context,
    );
  },
});
