/**
 * dependency-cruiser reads TypeScript through the compiler's JavaScript API, which TypeScript 7 no longer has: under 7 it
 * cruises no .ts file and exits 0. This preload hands it the `typescript-6` alias wherever it asks for `typescript`.
 * Nothing else is redirected. Used as `node --import`; drop it when dependency-cruiser reads TypeScript 7.
 */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const asked = /^typescript(\/package\.json)?$/.exec(specifier);
    const wanted = asked !== null && context.parentURL?.includes("/node_modules/dependency-cruiser/");
    return next(wanted ? `typescript-6${asked[1] ?? ""}` : specifier, context);
  },
});
