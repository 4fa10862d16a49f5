/** https://w3c.github.io/webappsec-referrer-policy/#referrer-policy-strict-origin-when-cross-origin, the default of browsers. */
export function chooseReferrer(from: string | null, to: URL): string | null {
  if (from === null || !/^https?:/.test(from)) return null;
  const source = new URL(from);
  if (source.protocol === 'https:' && to.protocol === 'http:') return null;
  return source.origin === to.origin ? source.origin + source.pathname + source.search : `${source.origin}/`;
}
