/** Text as XML 1.0 takes it, for the SVG badge and the feeds. */
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For a text or an attribute. What XML 1.0 has no place for is dropped, not escaped: a stranger's text may hold anything. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"']/g, (char) => entities[char] as string);
}
