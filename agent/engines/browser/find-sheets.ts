import type { NetworkRequest } from '#core/metrics/snapshot.ts';

/** The requests for some style sheets and for those that they import, in their order, so that an imported sheet stands after the one that imports it. */
export function findSheets(requests: readonly NetworkRequest[], urls: readonly string[]): NetworkRequest[] {
  const known = new Set(urls);
  const sheets: NetworkRequest[] = [];
  for (const request of requests) {
    const { type, url, initiatorUrl } = request;
    if (type !== 'style-sheet' || !(known.has(url) || (initiatorUrl !== null && known.has(initiatorUrl)))) continue;
    known.add(url); // what it imports is known by it
    sheets.push(request);
  }
  return sheets;
}
