/** The server's prompts: filled in, and the messages that they become. */
import { useState } from "preact/hooks";
import type { Link, Prompt } from "../connection/link.ts";
import { CallView } from "../result/call-view.tsx";
import type { Call, Session } from "../session.ts";
import { Empty } from "../ui/parts.tsx";
import { useValue } from "../ui/state.ts";
import { Name, Prose } from "../ui/texts.tsx";
import { ListPane } from "./list-pane.tsx";
import { Suggested } from "./suggested.tsx";

export function PromptsView(given: {
  readonly session: Session;
  readonly link: Link;
  readonly chosen: string | null;
}) {
  const { session, link, chosen } = given;
  const listing = useValue(session.prompts);
  const prompt = listing.items.find(({ name }) => name === chosen) ?? null;
  return (
    <ListPane<Prompt>
      place="prompts"
      what="Prompts"
      listing={listing}
      entryOf={({ name, title, description }) => ({ name, title, description })}
      chosen={chosen}
      onRelist={() => void session.relist("prompts")}
      empty="The server lists no prompts."
    >
      {prompt !== null && <PromptView key={prompt.name} session={session} link={link} prompt={prompt} />}
      {chosen === null && listing.items.length > 0 && <Empty>Choose a prompt to see its messages.</Empty>}
    </ListPane>
  );
}

function PromptView({
  session,
  link,
  prompt,
}: {
  readonly session: Session;
  readonly link: Link;
  readonly prompt: Prompt;
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [call, setCall] = useState<Call | null>(null);
  const [asking, setAsking] = useState(false);
  const missing = prompt.arguments.some(({ name, required }) => required && (values[name] ?? "") === "");
  const get = async (): Promise<void> => {
    setAsking(true);
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
    const about = { what: "prompt", name: prompt.name, args: given } as const;
    setCall(await session.call(about, (now, signal) => now.getPrompt(prompt.name, given, { signal })));
    setAsking(false);
  };
  return (
    <form
      class="tool"
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing && !asking) void get();
      }}
    >
      <h2>
        <Name text={prompt.title ?? prompt.name} />
      </h2>
      {prompt.description !== null && <Prose text={prompt.description} />}
      {prompt.arguments.map(({ name, description, required }) => (
        <Suggested
          key={name}
          name={name}
          description={description}
          required={required}
          value={values[name] ?? ""}
          onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
          suggest={(value) => link.complete({ prompt: prompt.name }, { name, value })}
        />
      ))}
      <div class="actions">
        <button type="submit" class="primary" disabled={missing || asking}>
          {asking ? "Waiting…" : "Get the messages"}
        </button>
      </div>
      {call !== null && <CallView key={call.number} call={call} outputSchema={null} />}
    </form>
  );
}
