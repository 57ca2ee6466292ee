/** The credential, and headers of one's own: in this tab's memory and nowhere else. What is typed holds from the next request on. */
import { useId } from "preact/hooks";
import type { Session } from "../session.ts";
import { useValue } from "../ui/state.ts";

export function CredentialBox({
  session,
  forwarded,
}: {
  readonly session: Session;
  readonly forwarded: boolean;
}) {
  const { token, headers } = useValue(session.credential);
  const [tokenId, headersId] = [useId(), useId()];
  return (
    <div class="credential">
      <div class="field">
        <label for={tokenId}>Credential</label>
        <input
          id={tokenId}
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${tokenId}-about`}
          value={token}
          onInput={(event) => {
            const typed = event.currentTarget.value.trim();
            session.credential.set((before) => ({ ...before, token: typed }));
          }}
        />
        <p id={`${tokenId}-about`} class="soft">
          {forwarded
            ? "The catalog sends it on to the relay and keeps nothing. It stays in this tab's memory."
            : "Sent as a bearer token. It stays in this tab's memory: a reload forgets it."}
        </p>
      </div>
      {!forwarded && (
        <div class="field">
          <label for={headersId}>More headers</label>
          <textarea
            id={headersId}
            class="mono"
            rows={1}
            spellcheck={false}
            autocomplete="off"
            placeholder="X-Api-Key: …"
            value={headers}
            onInput={(event) => {
              const typed = event.currentTarget.value;
              session.credential.set((before) => ({ ...before, headers: typed }));
            }}
          />
        </div>
      )}
    </div>
  );
}
