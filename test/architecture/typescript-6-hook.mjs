/**
 * dependency-cruiser and openapi-typescript use the compiler's JavaScript API, which TypeScript 7 no longer has: under 7 the
 * first cruises no .ts file and exits 0, the second does not start. This preload hands them the `typescript-6` alias wherever
 * they ask for `typescript`. Nothing else is redirected. Used as `node --import`; drop it when both know TypeScript 7.
 */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const asked = /^typescript(\/package\.json)?$/.exec(specifier);
    const wanted =
      asked !== null &&
      /\/node_modules\/(?:dependency-cruiser|openapi-typescript)\//.test(context.parentURL ?? "");
    return next(wanted ? `typescript-6${asked[1] ?? ""}` : specifier, context);
  },
});
