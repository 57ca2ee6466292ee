/** This package's own facts: package.json lies two levels up, beside `src/` as beside the built `dist/`. */
import { readFileSync } from "node:fs";

interface OwnPackage {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

export const ownPackage = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as OwnPackage;

export const version: string = ownPackage.version;
