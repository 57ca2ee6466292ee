/** The blocks of a result, each by its kind; what is of no known kind is shown as the JSON that it is. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/spec/index.ts";
import { isRecord, readExact } from "../json/exact.ts";
import { MAX_TEXT } from "../limits.ts";
import { hrefOf } from "../route.ts";
import { CopyButton } from "../ui/parts.tsx";
import { Link, Name, safeUrl, size } from "../ui/texts.tsx";
import { JsonTree } from "./json-tree.tsx";
import { Media } from "./media.tsx";
import { ResultTable, tableOf } from "./table.tsx";

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

export function Contents({ blocks }: { readonly blocks: readonly JsonValue[] }) {
  return (
    <div class="blocks">
      {blocks.map((block, at) => (
        <Block key={at} block={block} />
      ))}
    </div>
  );
}

export function Block({ block }: { readonly block: JsonValue }) {
  if (!isJsonObject(block)) return <JsonTree value={block} />;
  const shown = known(block);
  const annotations = isJsonObject(block.annotations) ? block.annotations : null;
  if (annotations === null || shown === null) return shown ?? <JsonTree value={block} />;
  const words = Object.entries(annotations).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`,
  );
  return (
    <div>
      {shown}
      <p class="soft">
        <bdi>{words.join(" · ").slice(0, 300)}</bdi>
      </p>
    </div>
  );
}

function known(block: JsonObject) {
  switch (block.type) {
    case "text":
      return typeof block.text === "string" ? <TextBlock text={block.text} /> : null;
    case "image":
    case "audio":
      return typeof block.data === "string" ? (
        <Media data={block.data} mimeType={text(block.mimeType)} name={String(block.type)} />
      ) : null;
    case "resource_link":
      return typeof block.uri === "string" ? <ResourceLink block={block} uri={block.uri} /> : null;
    case "resource":
      return isJsonObject(block.resource) ? <ResourceContents contents={block.resource} /> : null;
    default:
      return null;
  }
}

/** Prose as it is; JSON, which many tools answer as text, as a table or a tree too. */
export function TextBlock({ text: whole }: { readonly text: string }) {
  const value = whole.length < MAX_TEXT && /^\s*[[{]/.test(whole) ? parsed(whole) : undefined;
  const table = value === undefined ? null : tableOf(value);
  return (
    <div class="text-block">
      {table !== null && <ResultTable table={table} caption="The text as a table" />}
      {value === undefined ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard.
        <pre class="text" dir="auto" tabIndex={0}>
          {whole.slice(0, MAX_TEXT)}
        </pre>
      ) : (
        <>
          {table === null && <JsonTree value={value} />}
          <details class="as-text">
            <summary>As text</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard. */}
            <pre class="text" tabIndex={0}>
              {whole}
            </pre>
          </details>
        </>
      )}
      {whole.length > MAX_TEXT && (
        <p class="soft">{`The first ${size(MAX_TEXT)} of ${size(whole.length)}.`}</p>
      )}
      <CopyButton text={() => whole} />
    </div>
  );
}

function parsed(whole: string): JsonValue | undefined {
  try {
    const value = readExact(whole);
    return isRecord(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function ResourceLink({ block, uri }: { readonly block: JsonObject; readonly uri: string }) {
  const name = text(block.title) ?? text(block.name) ?? uri;
  return (
    <div class="card">
      <p>
        <strong>
          <Name text={name} />
        </strong>{" "}
        <span class="soft">{text(block.mimeType)}</span>
      </p>
      {text(block.description) !== null && <p dir="auto">{text(block.description)}</p>}
      <p>
        {safeUrl(uri) === null ? <Name text={uri} code /> : <Link href={uri} />}{" "}
        <a href={hrefOf({ place: "resources", name: uri })}>Read it</a>
      </p>
    </div>
  );
}

/** Of `resources/read`, and of a resource that a result carries along. */
export function ResourceContents({ contents }: { readonly contents: JsonObject }) {
  const uri = text(contents.uri) ?? "";
  return (
    <div class="card">
      <p>
        <Name text={uri} code /> <span class="soft">{text(contents.mimeType)}</span>
      </p>
      {typeof contents.text === "string" && <TextBlock text={contents.text} />}
      {typeof contents.blob === "string" && (
        <Media data={contents.blob} mimeType={text(contents.mimeType)} name={uri} />
      )}
    </div>
  );
}
