/** Catalogs begin their reason with the URL, or the endpoint that it led to; a line that names it already wants the rest alone. */
export function reasonAlone(error: string): string {
  return error.replace(/^https?:\/\/\S+ is not listed: /, "");
}
