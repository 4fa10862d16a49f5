import { readHarType } from '../har/har-words.ts';
import { quantileOrNull } from '../statistics/sample-quantile.ts';
import type { Site, SiteExchange, SiteHost } from './site.ts';

/** What people want to know of a Site. Bytes are those of bodies as they crossed the network; times are medians, `null` where nothing is known. */
export interface SiteSummary extends Pick<Site, 'title' | 'software' | 'recordedEpochMs' | 'dropped'> {
  /** `objects`, `bytes`: of the first visit. */
  pages: {
    number: number;
    url: string;
    title: string;
    visits: number;
    objects: number;
    bytes: number;
    baseMs: number | null;
    viewportMs: number | null;
    totalMs: number | null;
    /** In all visits: they are not recorded. */
    webSockets: number;
  }[];
  /** Of all visits, in the order of their bytes. */
  hosts: (Pick<SiteHost, 'name' | 'address' | 'protocols' | 'connectMs'> & {
    requests: number;
    bytes: number;
    thinkMs: number | null;
  })[];
  /** Likewise. */
  types: { type: string; requests: number; bytes: number }[];
}

export function summariseSite({ title, software, recordedEpochMs, dropped, ...site }: Site): SiteSummary {
  const byHost = Map.groupBy(site.exchanges, ({ url }) => new URL(url).hostname);
  const byType = Map.groupBy(site.exchanges, typeOf);
  return {
    title,
    software,
    recordedEpochMs,
    pages: site.pages.map(({ number, url, title: pageTitle, visits }) => {
      const own = site.exchanges.filter(({ page, visit }) => page === number && visit === 1);
      const visitsSeen = site.exchanges.reduce(
        (most, { page, visit }) => (page === number ? Math.max(most, visit) : most),
        0,
      );
      return {
        number,
        url,
        title: pageTitle,
        visits: Math.max(visits.length, visitsSeen),
        objects: own.length,
        bytes: sumBytes(own),
        baseMs: medianOf(visits.map(({ baseMs }) => baseMs)),
        viewportMs: medianOf(visits.map(({ viewportMs }) => viewportMs)),
        totalMs: medianOf(visits.map(({ totalMs }) => totalMs)),
        webSockets: visits.reduce((sum, { webSockets = [] }) => sum + webSockets.length, 0),
      };
    }),
    hosts: site.hosts
      .map(({ name, address, protocols, connectMs }) => {
        const own = byHost.get(name) ?? [];
        const thinkMs = medianOf(own.map((exchange) => exchange.thinkMs));
        return { name, address, protocols, connectMs, requests: own.length, bytes: sumBytes(own), thinkMs };
      })
      .sort((one, other) => other.bytes - one.bytes),
    types: [...byType]
      .map(([type, own]) => ({ type, requests: own.length, bytes: sumBytes(own) }))
      .sort((one, other) => other.bytes - one.bytes),
    dropped,
  };
}

/** By the media type of the answer: a recording does not know what the page used it for. */
function typeOf({ headers }: SiteExchange): string {
  return readHarType(undefined, headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '');
}

function sumBytes(exchanges: readonly SiteExchange[]): number {
  return exchanges.reduce((sum, { body }) => sum + (body?.bytes ?? 0), 0);
}

function medianOf(values: readonly (number | null)[]): number | null {
  return quantileOrNull(
    values.filter((value) => value !== null),
    0.5,
  );
}
