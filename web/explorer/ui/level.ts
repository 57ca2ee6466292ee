/** For where nothing isolates a stranger's text, such as a title: without the marks that turn the direction of what follows (UAX #9). */
export function level(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}
