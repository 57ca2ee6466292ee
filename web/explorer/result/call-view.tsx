/** What came of a call: the tool's own word, the structured part as a table or a tree, whether it is of its schema, and all of it raw. */
import { useMemo, useState } from "preact/hooks";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/spec/index.ts";
import { pretty } from "../json/exact.ts";
import { MAX_TEXT } from "../limits.ts";
import { judge } from "../schema/judge.ts";
import type { Call } from "../session.ts";
import { CopyButton, ReasonBox, Tabs } from "../ui/parts.tsx";
import { clockTime, duration, size } from "../ui/texts.tsx";
import { Contents, ResourceContents } from "./content.tsx";
import { JsonTree } from "./json-tree.tsx";
import { PromptMessages } from "./prompt-messages.tsx";
import { ResultTable, tableOf } from "./table.tsx";

export function CallView({
  call,
  outputSchema,
}: {
  readonly call: Call;
  readonly outputSchema: JsonValue | null;
}) {
  const { result, reason } = call;
  if (result === null) return reason === null ? null : <ReasonBox reason={reason} />;
  return (
    <section class="result" aria-label="Result">
      <p class="result-head">
        {result.isError === true ? (
          <strong class="bad-word">The tool says that it failed</strong>
        ) : (
          <strong class="good-word">Answered</strong>
        )}
        <span class="soft">
          in {duration(call.ms)} at {clockTime(call.at)}
        </span>
      </p>
      {outputSchema !== null && result.isError !== true && <Verdict result={result} schema={outputSchema} />}
      <Views result={result} />
    </section>
  );
}

type Seen = "result" | "table" | "tree" | "raw";

function Views({ result }: { readonly result: JsonObject }) {
  const structured = result.structuredContent;
  const table = structured === undefined ? null : tableOf(structured);
  const blocks = Array.isArray(result.content) ? (result.content as readonly JsonValue[]) : null;
  const contents = Array.isArray(result.contents) ? (result.contents as readonly JsonValue[]) : null;
  const messages = Array.isArray(result.messages) ? (result.messages as readonly JsonValue[]) : null;
  const tabs: { readonly key: Seen; readonly label: string }[] = [
    { key: "result", label: "Result" },
    ...(table === null ? [] : [{ key: "table" as const, label: "Table" }]),
    { key: "tree", label: "Tree" },
    { key: "raw", label: "JSON" },
  ];
  const [chosen, choose] = useState<Seen>("result");
  const seen = tabs.some(({ key }) => key === chosen) ? chosen : "result";
  const nothing = (blocks ?? contents ?? messages) === null;
  return (
    <>
      <Tabs label="Ways to see the result" tabs={tabs} chosen={seen} onChoose={choose} />
      <div class="seen" role="tabpanel" aria-label={tabs.find(({ key }) => key === seen)?.label}>
        {seen === "result" && (
          <>
            {structured !== undefined &&
              (table === null ? (
                <JsonTree value={structured} />
              ) : (
                <ResultTable table={table} caption="Structured content" />
              ))}
            {blocks !== null && <Contents blocks={withoutEcho(blocks, structured)} />}
            {contents?.map((each, at) =>
              isJsonObject(each) ? <ResourceContents key={at} contents={each} /> : null,
            )}
            {messages !== null && <PromptMessages messages={messages} />}
            {nothing && structured === undefined && <JsonTree value={result} />}
            {blocks?.length === 0 && structured === undefined && <p class="soft">It has no content.</p>}
          </>
        )}
        {seen === "table" && table !== null && <ResultTable table={table} caption="Structured content" />}
        {seen === "tree" && <JsonTree value={result} open={3} />}
        {seen === "raw" && <RawResult result={result} />}
      </div>
    </>
  );
}

/** All of it for the clipboard; for the eyes as much as a browser draws at once. */
function RawResult({ result }: { readonly result: JsonObject }) {
  const text = useMemo(() => pretty(result), [result]);
  return (
    <div class="text-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard. */}
      <pre tabIndex={0}>
        <code>{text.slice(0, MAX_TEXT)}</code>
      </pre>
      {text.length > MAX_TEXT && <p class="soft">{`The first ${size(MAX_TEXT)} of ${size(text.length)}.`}</p>}
      <CopyButton text={() => text} />
    </div>
  );
}

/** Servers repeat the structured part as text, for older clients: that is not shown twice. */
function withoutEcho(blocks: readonly JsonValue[], structured: JsonValue | undefined): readonly JsonValue[] {
  if (structured === undefined) return blocks;
  const echo = JSON.stringify(structured);
  return blocks.filter((block) => {
    if (!isJsonObject(block) || block.type !== "text" || typeof block.text !== "string") return true;
    try {
      return JSON.stringify(JSON.parse(block.text)) !== echo;
    } catch {
      return true;
    }
  });
}

function Verdict({ result, schema }: { readonly result: JsonObject; readonly schema: JsonValue }) {
  const structured = result.structuredContent;
  const verdict = useMemo(
    () => (structured === undefined ? null : judge(structured, schema)),
    [structured, schema],
  );
  if (verdict === null) {
    return <p class="note bad">The tool has an output schema, and the result has no structured content.</p>;
  }
  if (verdict.kind === "fits") return <p class="note good">The result fits its output schema.</p>;
  if (verdict.kind === "unknown") return <p class="note">Not judged by its output schema: {verdict.why}</p>;
  return (
    <div class="note bad">
      <strong>The result does not fit its output schema</strong>
      <p dir="auto">{verdict.problem}</p>
    </div>
  );
}
