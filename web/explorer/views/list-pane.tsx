/** A list at the side, what is chosen beside it; on a narrow screen one of the two. Filtered by words, walked by keys. */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { hrefOf, type Place } from "../route.ts";
import type { Listing } from "../session.ts";
import { Empty, ReasonBox, Skeleton } from "../ui/parts.tsx";
import { Name } from "../ui/texts.tsx";

export interface Entry {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly mark?: string;
}

export interface PaneProps<T> {
  readonly place: Place;
  readonly what: string;
  readonly listing: Listing<T>;
  readonly entryOf: (item: T) => Entry;
  readonly chosen: string | null;
  readonly onRelist: () => void;
  readonly empty: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Entries that are drawn at once. */
const MOST = 400;

export function ListPane<T>(given: PaneProps<T>) {
  const { place, what, listing, entryOf, chosen, onRelist, empty, children } = given;
  const id = useId();
  const [words, setWords] = useState("");
  const entries = listing.items.map(entryOf);
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = entries.filter((entry) => {
    const whole = `${entry.name} ${entry.title ?? ""} ${entry.description ?? ""}`.toLowerCase();
    return wanted.every((word) => whole.includes(word));
  });
  return (
    <div class={chosen === null ? "pane" : "pane with-choice"}>
      <nav class="pane-list" aria-label={what}>
        <div class="row">
          <label class="visually-hidden" for={id}>
            Filter {what.toLowerCase()}
          </label>
          <input
            id={id}
            type="search"
            autocomplete="off"
            placeholder={`Filter ${entries.length === 0 ? "" : `${entries.length} `}${what.toLowerCase()}`}
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <button
            type="button"
            class="small"
            onClick={onRelist}
            aria-label={`Read the ${what.toLowerCase()} again`}
          >
            ↻
          </button>
        </div>
        {listing.state === "reading" && entries.length === 0 && <Skeleton rows={6} />}
        {listing.state === "failed" && listing.reason !== null && <ReasonBox reason={listing.reason} />}
        {listing.state === "read" && entries.length === 0 && <Empty>{empty}</Empty>}
        {entries.length > 0 && found.length === 0 && <Empty>None of them has these words.</Empty>}
        <ul>
          {found.slice(0, MOST).map((entry) => (
            <li key={entry.name}>
              <a
                href={hrefOf({ place, name: entry.name })}
                aria-current={entry.name === chosen ? "page" : undefined}
                title={entry.name.slice(0, 200)}
              >
                <span class="entry-name">
                  <Name text={entry.title ?? entry.name} />
                  {entry.mark !== undefined && <span class="mark">{entry.mark}</span>}
                </span>
                <span class="entry-about soft">
                  <bdi>{(entry.description ?? entry.name).slice(0, 160)}</bdi>
                </span>
              </a>
            </li>
          ))}
        </ul>
        {found.length > MOST && <p class="soft">{found.length - MOST} more: filter them.</p>}
      </nav>
      <section class="pane-choice" aria-label={chosen?.slice(0, 100) ?? what}>
        {chosen !== null && (
          <p class="back">
            <a href={hrefOf({ place, name: null })}>← {what}</a>
          </p>
        )}
        {children}
      </section>
    </div>
  );
}
