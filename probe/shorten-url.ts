/** What a Snapshot takes. Only `data:` URLs, whose content is their address, are longer on real pages. */
const maxLength = 65_536;

export function shortenUrl(url: string): string {
  return url.slice(0, maxLength);
}
