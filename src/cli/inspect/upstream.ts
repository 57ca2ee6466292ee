/** What is behind the page's endpoint: a URL or a command. Types only. */
export interface Upstream extends AsyncDisposable {
  /** `page` tells open pages apart. */
  fetch(request: Request, page: string): Promise<Response>;
}
