/** The server's resources and templates of such: read, followed, and what they hold. */
import { useEffect, useState } from "preact/hooks";
import type { Link, Resource } from "../connection/link.ts";
import type { Reason } from "../connection/reasons.ts";
import { expand, variablesOf } from "../copy/uri-template.ts";
import { CallView } from "../result/call-view.tsx";
import type { Call, Session } from "../session.ts";
import { Empty, ReasonBox } from "../ui/parts.tsx";
import { useValue } from "../ui/state.ts";
import { Name, Prose } from "../ui/texts.tsx";
import { ListPane } from "./list-pane.tsx";
import { Suggested } from "./suggested.tsx";

export function ResourcesView(given: {
  readonly session: Session;
  readonly link: Link;
  readonly chosen: string | null;
}) {
  const { session, link, chosen } = given;
  const listing = useValue(session.resources);
  // One that is in no list may be there too: links of results lead to such.
  const known = listing.items.find(({ uri }) => uri === chosen);
  const resource: Resource | null =
    known ??
    (chosen === null
      ? null
      : { uri: chosen, name: chosen, title: null, description: null, mimeType: null, template: false });
  return (
    <ListPane<Resource>
      place="resources"
      what="Resources"
      listing={listing}
      entryOf={({ uri, name, title, description, template, mimeType }) => ({
        name: uri,
        title: title ?? name,
        description: description ?? uri,
        ...(template ? { mark: "template" } : mimeType === null ? {} : { mark: mimeType.slice(0, 40) }),
      })}
      chosen={chosen}
      onRelist={() => void session.relist("resources")}
      empty="The server lists no resources."
    >
      {resource !== null && (
        <ResourceView key={resource.uri} session={session} link={link} resource={resource} />
      )}
      {chosen === null && listing.items.length > 0 && <Empty>Choose a resource to read it.</Empty>}
    </ListPane>
  );
}

function ResourceView(given: {
  readonly session: Session;
  readonly link: Link;
  readonly resource: Resource;
}) {
  const { session, link, resource } = given;
  const [call, setCall] = useState<Call | null>(null);
  const [reading, setReading] = useState(false);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const uri = resource.template ? expand(resource.uri, values) : resource.uri;
  const read = async (): Promise<void> => {
    setReading(true);
    const about = { what: "resource", name: uri, args: {} } as const;
    setCall(await session.call(about, (now, signal) => now.readResource(uri, { signal })));
    setReading(false);
  };
  return (
    <form
      class="tool"
      onSubmit={(event) => {
        event.preventDefault();
        void read();
      }}
    >
      <h2>
        <Name text={resource.title ?? resource.name} />
      </h2>
      <p>
        <Name text={uri} code /> <span class="soft">{resource.mimeType}</span>
      </p>
      {resource.description !== null && <Prose text={resource.description} />}
      {resource.template &&
        variablesOf(resource.uri).map((name) => (
          <Suggested
            key={name}
            name={name}
            required={false}
            description={null}
            value={values[name] ?? ""}
            onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
            suggest={(value) => link.complete({ template: resource.uri }, { name, value })}
          />
        ))}
      <div class="actions">
        <button type="submit" class="primary" disabled={reading}>
          {reading ? "Reading…" : "Read"}
        </button>
        {link.subscribe !== null && (
          <Follow session={session} subscribe={link.subscribe} uri={uri} onUpdate={read} />
        )}
      </div>
      {call !== null && <CallView key={call.number} call={call} outputSchema={null} />}
    </form>
  );
}

/** Subscribed while the box is ticked and the view is open; each update reads it again. */
function Follow(given: {
  readonly session: Session;
  readonly subscribe: NonNullable<Link["subscribe"]>;
  readonly uri: string;
  readonly onUpdate: () => Promise<void>;
}) {
  const { session, subscribe, uri, onUpdate } = given;
  const [on, setOn] = useState(false);
  const [reason, setReason] = useState<Reason | null>(null);
  const notices = useValue(session.notices);
  const updates = notices.filter(
    ({ method, params }) => method === "notifications/resources/updated" && params.uri === uri,
  );
  const newest = updates.at(-1)?.at ?? 0;
  useEffect(() => {
    if (on && newest > 0) void onUpdate();
    // Reading is done by an update, and by nothing else.
  }, [newest]);
  useEffect(() => {
    if (!on) return;
    let end: (() => Promise<void>) | null = null;
    let gone = false;
    setReason(null);
    subscribe(uri).then(
      (stop) => {
        end = stop;
        if (gone) void stop().catch(() => undefined);
      },
      (error: unknown) => {
        setReason(session.reasonFor(error));
        setOn(false);
      },
    );
    return () => {
      gone = true;
      if (end !== null) void end().catch(() => undefined);
    };
  }, [on, uri, subscribe, session]);
  return (
    <>
      <label class="check">
        <input type="checkbox" checked={on} onChange={(event) => setOn(event.currentTarget.checked)} />
        Follow it
      </label>
      {updates.length > 0 && (
        <span class="soft" role="status">
          {updates.length === 1 ? "1 update" : `${updates.length} updates`}
        </span>
      )}
      {reason !== null && <ReasonBox reason={reason} />}
    </>
  );
}
