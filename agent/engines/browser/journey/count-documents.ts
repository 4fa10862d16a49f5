import { VisitFailure } from '#core/agent/visit-failure.ts';
import type { BrowserPage } from '../browser-page.ts';

/** How many pages the tab has loaded, or begun to load, since its recorder began. */
export function countDocuments({ recorder }: Pick<BrowserPage, 'recorder'>): number {
  return new Set(
    recorder.requests.filter(({ isMainDocument, failure }) => isMainDocument && failure === null).map(({ id }) => id),
  ).size;
}

/** The journey has another number of navigations than its steps name. */
export function strayed(detail: string): VisitFailure {
  return new VisitFailure('journey-strayed', detail);
}
