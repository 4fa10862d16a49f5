import { z } from 'zod';
import { readHarType } from '../har/har-words.ts';
import { NetworkRequestSchema } from '../metrics/snapshot.ts';
import { SiteHostSchema, SitePageSchema, SiteSchema, type Site, type SiteExchange } from './site.ts';

/**
 * What a Site is, in a few numbers. An object is one answer, redirects included; its bytes are those of its body as they crossed the network.
 * They are counted in the first visit to each page that has any: visits repeat each other.
 */
const Amounts = { objects: z.number().int(), bytes: z.number() };

export const SiteContentsSchema = z.strictObject({
  pages: z.array(z.strictObject({ ...SitePageSchema.shape, hosts: z.number().int(), ...Amounts })),
  /** The one with the most bytes first. */
  hosts: z.array(z.strictObject({ ...SiteHostSchema.shape, ...Amounts })),
  /** By what their contents are, the one with the most bytes first. */
  types: z.array(z.strictObject({ type: NetworkRequestSchema.shape.type, ...Amounts })),
  dropped: SiteSchema.shape.dropped,
  software: SiteSchema.shape.software,
  ...Amounts,
});
export type SiteContents = z.infer<typeof SiteContentsSchema>;

interface Amount {
  objects: number;
  bytes: number;
}

export function summariseSite({ pages, hosts, exchanges, dropped, software }: Site): SiteContents {
  const counted = takeFirstVisits(exchanges);
  const ofPages = Map.groupBy(counted, ({ page }) => page);
  const ofHosts = Map.groupBy(counted, ({ url }) => hostOf(url));
  const ofTypes = Map.groupBy(counted, typeOf);
  return {
    pages: pages.map((page) => {
      const own = ofPages.get(page.number) ?? [];
      return { ...page, hosts: new Set(own.map(({ url }) => hostOf(url))).size, ...sum(own) };
    }),
    hosts: hosts.map((host) => ({ ...host, ...sum(ofHosts.get(host.name) ?? []) })).sort(byBytes),
    types: [...ofTypes].map(([type, own]) => ({ type, ...sum(own) })).sort(byBytes),
    dropped,
    software,
    ...sum(counted),
  };
}

/** Of each page, what the first visit that has any exchange had. */
export function takeFirstVisits(exchanges: readonly SiteExchange[]): SiteExchange[] {
  const first = new Map<number, number>();
  for (const { page, visit } of exchanges) first.set(page, Math.min(first.get(page) ?? Infinity, visit));
  return exchanges.filter(({ page, visit }) => first.get(page) === visit);
}

/** As SiteHost has it. */
export function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}

function typeOf({ headers }: SiteExchange): SiteContents['types'][number]['type'] {
  return readHarType(null, headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '');
}

function sum(exchanges: readonly SiteExchange[]): Amount {
  return { objects: exchanges.length, bytes: exchanges.reduce((bytes, { body }) => bytes + (body?.bytes ?? 0), 0) };
}

function byBytes(one: Amount, other: Amount): number {
  return other.bytes - one.bytes || other.objects - one.objects;
}
