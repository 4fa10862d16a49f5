/** The address that a page means, without its fragment; null for one that is not fetched over the network (`data:`, `blob:`, `file:` …) or is none. */
export function resolveAddress(address: string, baseUrl: string): string | null {
  if (!URL.canParse(address, baseUrl)) return null;
  const url = new URL(address, baseUrl);
  if (!/^https?:$/.test(url.protocol)) return null;
  url.hash = '';
  return url.href;
}
