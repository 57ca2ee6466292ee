/** Which URLs of a server's remotes are to be looked at, or why none is. Pure. */
import { fillRemote, type ImportSkip, type Remote } from "../../spec/index.ts";
import { judgeUrl, type Whereabouts } from "./judge-url.ts";

export type JudgedRemotes =
  | { readonly urls: readonly { readonly url: string; readonly endpoint: string }[]; readonly skip: null }
  | { readonly urls: readonly []; readonly skip: ImportSkip };

/**
 * Each endpoint once. A server's HTTP+SSE address is only looked at where it has no other: it is the older way to the same
 * server, and no relay.
 */
export function judgeRemotes(
  remotes: readonly Remote[] | undefined,
  whereabouts: Whereabouts,
): JudgedRemotes {
  const all = remotes ?? [];
  const streamable = all.filter(({ type }) => type === "streamable-http");
  const urls = new Map<string, string>();
  let why: ImportSkip = "no-remote";
  for (const remote of streamable.length > 0 ? streamable : all) {
    const judged = judgeRemote(remote, whereabouts);
    if (judged.ok) urls.set(judged.endpoint, urls.get(judged.endpoint) ?? judged.url);
    else if (why === "no-remote") why = judged.skip;
  }
  if (urls.size === 0) return { urls: [], skip: why };
  return { urls: [...urls].map(([endpoint, url]) => ({ url, endpoint })), skip: null };
}

function judgeRemote(remote: Remote, whereabouts: Whereabouts): ReturnType<typeof judgeUrl> {
  const { headers: _headers, ...address } = remote;
  // Headers are for who calls; a look needs the address alone.
  const filled = fillRemote(address);
  if (filled.ok) return judgeUrl(filled.url, whereabouts);
  if (filled.problems.some(({ problem }) => problem === "missing")) {
    return { ok: false, skip: "unresolved-template" };
  }
  const judged = judgeUrl(remote.url, whereabouts);
  return judged.ok ? { ok: false, skip: "unusable-url" } : judged;
}
