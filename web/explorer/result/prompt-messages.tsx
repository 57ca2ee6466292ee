/** Messages of a prompt, or of a request for sampling: who speaks, and what. */
import { isJsonObject, type JsonValue } from "../../../src/spec/index.ts";
import { Block } from "./content.tsx";

export function PromptMessages({ messages }: { readonly messages: readonly JsonValue[] }) {
  return (
    <ol class="messages">
      {messages.map((message, at) => {
        const { role, content } = isJsonObject(message) ? message : {};
        const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [content ?? null];
        return (
          <li key={at}>
            <p class="role">{typeof role === "string" ? role.slice(0, 40) : "no role"}</p>
            {blocks.map((block, place) => (
              <Block key={place} block={block} />
            ))}
          </li>
        );
      })}
    </ol>
  );
}
