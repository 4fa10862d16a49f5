import type { Counts, ObjectQuery } from './object-query.ts';

/** What a page hands on to its objects, theirs to theirs, and so on. */
export type PageQuery = Pick<ObjectQuery, 'visit' | 'tao' | 'last'>;

export interface ObjectLink {
  path: string;
  name: string;
  counts: Counts;
  delayMs: number;
  /** Of an image; its own where it is left out. */
  sizeBytes?: number | undefined;
  /** Base URL of another origin; null for the page's own. */
  foreignUrl: string | null;
}

/** The URL of an object of a page: it carries its own truth, and the Visit that it belongs to. */
export function linkObject(
  page: PageQuery,
  { path, name, counts, delayMs, sizeBytes, foreignUrl }: ObjectLink,
): string {
  const query = new URLSearchParams({ object: name, counts });
  if (sizeBytes !== undefined) query.set('sizeBytes', String(sizeBytes));
  if (delayMs > 0) query.set('delayMs', String(delayMs));
  if (page.visit !== undefined) query.set('visit', page.visit);
  if (page.last !== undefined) query.set('last', page.last);
  if (page.tao === '1') query.set('tao', '1');
  return `${foreignUrl ?? ''}${path}?${query.toString()}`;
}
