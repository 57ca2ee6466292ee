/** Around each place: what a server sent and no view can draw ends that view, and not the page. */
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";

/** `of`: what is shown; another is tried anew. */
export function Guarded({ of, children }: { readonly of: unknown; readonly children: ComponentChildren }) {
  const [error, again] = useErrorBoundary();
  useEffect(again, [of]);
  if (error === undefined) return <>{children}</>;
  return (
    <div class="note bad" role="alert">
      <strong>This can't be shown</strong>
      <p dir="auto">{`What the server sent is more than this page can draw: ${String(error).slice(0, 300)}`}</p>
      <button type="button" onClick={again}>
        Try again
      </button>
    </div>
  );
}
