/** A file as base64 or as a data URL, read in this tab; or the text, where somebody has it already. */
import { useState } from "preact/hooks";
import { MAX_FILE_BYTES } from "../limits.ts";
import { size } from "../ui/texts.tsx";
import type { InputProps } from "./choice-input.tsx";

export function FileInput({
  id,
  value,
  onChange,
  required,
  describedBy,
  label,
  format,
}: InputProps & { readonly format: "base64" | "data-url" }) {
  const [said, say] = useState<string | null>(null);
  const text = typeof value === "string" ? value : "";
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > MAX_FILE_BYTES)
      return say(`${file.name} has ${size(file.size)}; ${size(MAX_FILE_BYTES)} is the most.`);
    const base64 = toBase64(new Uint8Array(await file.arrayBuffer()));
    onChange(
      format === "base64" ? base64 : `data:${file.type || "application/octet-stream"};base64,${base64}`,
    );
    say(`${file.name}, ${size(file.size)}`);
  };
  return (
    <div class="file">
      <input
        type="file"
        aria-label={`${label}, from a file`}
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      {said !== null && (
        <p class="soft" role="status">
          {said}
        </p>
      )}
      <textarea
        id={id}
        rows={1}
        class="mono"
        spellcheck={false}
        aria-describedby={describedBy}
        placeholder={format === "base64" ? "or base64" : "or data:…"}
        value={text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text}
        readOnly={text.length > 2_000}
        onInput={(event) => {
          const next = event.currentTarget.value;
          onChange(next === "" && !required ? undefined : next);
        }}
      />
    </div>
  );
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}
