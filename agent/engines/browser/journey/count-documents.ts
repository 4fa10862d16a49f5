import { VisitFailure } from '#core/agent/visit-failure.ts';
import { hasLedNowhere } from '#core/metrics/request-outcome.ts';
import type { BrowserPage } from '../browser-page.ts';

/** How many pages the tab has loaded, or begun to load, since its recorder began. A file to download is none, nor is an answer without content: the page stays. */
export function countDocuments({ recorder }: Pick<BrowserPage, 'recorder'>): number {
  return new Set(
    recorder.requests.filter((request) => request.isMainDocument && !hasLedNowhere(request)).map(({ id }) => id),
  ).size;
}

/** The journey has another number of navigations than its steps name. */
export function strayed(detail: string): VisitFailure {
  return new VisitFailure('journey-strayed', detail);
}
