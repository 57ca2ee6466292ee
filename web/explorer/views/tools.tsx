/** The server's tools; one of them to try. */
import type { Link, Tool } from "../connection/link.ts";
import type { Session } from "../session.ts";
import { Empty } from "../ui/parts.tsx";
import { useValue } from "../ui/state.ts";
import { ListPane } from "./list-pane.tsx";
import { ToolView } from "./tool.tsx";

export function ToolsView(given: {
  readonly session: Session;
  readonly link: Link;
  readonly chosen: string | null;
}) {
  const { session, link, chosen } = given;
  const listing = useValue(session.tools);
  const tool = listing.items.find(({ name }) => name === chosen) ?? null;
  return (
    <ListPane<Tool>
      place="tools"
      what="Tools"
      listing={listing}
      entryOf={({ name, title, description }) => ({ name, title, description })}
      chosen={chosen}
      onRelist={() => void session.relist("tools")}
      empty="The server lists no tools."
    >
      {tool !== null && <ToolView key={tool.name} session={session} link={link} tool={tool} />}
      {tool === null && chosen !== null && listing.state === "read" && (
        <Empty>The server lists no tool of this name.</Empty>
      )}
      {chosen === null && listing.items.length > 0 && (
        <Empty>Choose a tool: its form is made from its schema, and the JSON stands beside it.</Empty>
      )}
    </ListPane>
  );
}
