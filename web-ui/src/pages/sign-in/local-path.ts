/** `next` when it is a path of this site, else `/`: a sign-in must not send anybody to a place that a link chose. */
export function localPath(next: string | null, origin: string): string {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  return url.origin === origin ? url.pathname + url.search + url.hash : '/';
}
