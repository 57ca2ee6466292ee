/** What a directory's URL asks: its parameters read, and written again for the links that change one of them. Pure. */
import { type AuthFilter, authKinds, type EraFilter, eraFilters } from "../../spec/index.ts";
import { MAX_QUESTION, MAX_TAG } from "./limits.ts";

export interface DirectoryQuery {
  readonly q: string;
  readonly tag: string;
  readonly online: boolean | null;
  readonly verified: boolean | null;
  readonly auth: AuthFilter | null;
  readonly era: EraFilter | null;
}

/** What is not of its form narrows nothing: a person's link is no program's mistake. */
export function readDirectoryQuery(url: string): DirectoryQuery {
  const asked = new URL(url).searchParams;
  const text = (name: string, max = MAX_QUESTION): string =>
    (asked.get(name) ?? "")
      .slice(0, max)
      .toWellFormed()
      .replace(/\p{Cc}/gu, " ")
      .trim();
  const flag = (name: string): boolean | null =>
    text(name) === "1" ? true : text(name) === "0" ? false : null;
  const auth = text("auth");
  const era = text("era");
  return {
    q: text("q"),
    tag: text("tag", MAX_TAG),
    online: flag("online"),
    verified: flag("verified"),
    auth: [...authKinds, "unknown" as const].find((kind) => kind === auth) ?? null,
    era: eraFilters.find((known) => known === era) ?? null,
  };
}

/** As `URLSearchParams` has it, in one order. */
export function directoryParameters(query: DirectoryQuery): readonly (readonly [string, string])[] {
  const { q, tag, online, verified, auth, era } = query;
  const all: readonly (readonly [string, string | null])[] = [
    ["q", q === "" ? null : q],
    ["online", online === null ? null : online ? "1" : "0"],
    ["verified", verified === null ? null : verified ? "1" : "0"],
    ["auth", auth],
    ["era", era],
    ["tag", tag === "" ? null : tag],
  ];
  return all.filter((entry): entry is readonly [string, string] => entry[1] !== null);
}

/** The directory's path with this query; `more` is appended. */
export function directoryPath(query: DirectoryQuery, more: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams([
    ...directoryParameters(query).map(([name, value]): [string, string] => [name, value]),
    ...Object.entries(more),
  ]).toString();
  return parameters === "" ? "/" : `/?${parameters}`;
}

/** The filter of the operations. */
export function filterOf({ tag, online, verified, auth, era }: DirectoryQuery): {
  readonly tag?: string;
  readonly online?: boolean;
  readonly verified?: boolean;
  readonly auth?: AuthFilter;
  readonly era?: EraFilter;
} {
  return {
    ...(tag === "" ? {} : { tag }),
    ...(online === null ? {} : { online }),
    ...(verified === null ? {} : { verified }),
    ...(auth === null ? {} : { auth }),
    ...(era === null ? {} : { era }),
  };
}
