/** Browsers name HTML in `Accept`; programs ask for anything, for JSON, or say nothing. */
export function wantsHtml(request: Request): boolean {
  return /\btext\/html\b|\bapplication\/xhtml\+xml\b/i.test(request.headers.get("accept") ?? "");
}
