/**
 * Images and sounds that came as base64, from this page's memory: raster images and sounds of known types only. An SVG is a document
 * that may do things; like all else it can be saved, and is not shown.
 */
import { useEffect, useState } from "preact/hooks";
import { size } from "../ui/texts.tsx";

const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"]);
const SOUNDS = new Set([
  "audio/mpeg",
  "audio/mp3",
  "audio/wav",
  "audio/x-wav",
  "audio/wave",
  "audio/ogg",
  "audio/webm",
  "audio/aac",
  "audio/flac",
  "audio/mp4",
]);

/** Characters of base64 that are decoded. */
const MAX_BASE64 = 30_000_000;

export interface MediaProps {
  readonly data: string;
  readonly mimeType: string | null;
  readonly name: string;
}

export function Media({ data, mimeType, name }: MediaProps) {
  const type = (mimeType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const [url, setUrl] = useState<string | null>(null);
  const [bad, setBad] = useState<string | null>(null);
  const bytes = Math.floor((data.length * 3) / 4);
  useEffect(() => {
    const decoded = data.length > MAX_BASE64 ? null : fromBase64(data);
    if (decoded === null) {
      setBad(data.length > MAX_BASE64 ? "It is too large to be shown." : "It is not valid base64.");
      return;
    }
    // Saved under a type that no browser opens as a page.
    const shown = IMAGES.has(type) || SOUNDS.has(type) ? type : "application/octet-stream";
    const made = URL.createObjectURL(new Blob([decoded], { type: shown }));
    setBad(null);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data, type]);
  const facts = `${type === "" ? "no type" : type}, ${size(bytes)}`;
  return (
    <figure class="media">
      {url !== null && bad === null && IMAGES.has(type) && (
        <img
          src={url}
          alt={`${name}, as the server sent it`}
          onError={() => setBad("It is no image that this browser knows.")}
        />
      )}
      {url !== null && SOUNDS.has(type) && (
        // biome-ignore lint/a11y/useMediaCaption: a server's sound brings none.
        <audio controls src={url} aria-label={name} />
      )}
      <figcaption class="soft">
        {bad === null
          ? IMAGES.has(type) || SOUNDS.has(type)
            ? ""
            : "Of a type that is not shown here. "
          : `${bad} `}
        <bdi>{facts}</bdi>{" "}
        {url !== null && (
          <a href={url} download={fileName(name, type)}>
            Save
          </a>
        )}
      </figcaption>
    </figure>
  );
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
}

/** Nothing of a path, and an ending that fits what is known. */
function fileName(name: string, type: string): string {
  const plain = (name.split(/[/\\]/).at(-1) ?? "").replace(/[^\w.-]+/g, "-").slice(0, 80) || "file";
  const ending = /^(?:image|audio)\/([a-z0-9]+)$/.exec(type)?.[1];
  return ending === undefined || plain.includes(".") ? plain : `${plain}.${ending}`;
}
