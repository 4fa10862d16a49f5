import { failureCodeOf, failureCodeOfStatus } from '#core/metrics/failure-code-of.ts';
import type { ChromePage } from './open-page.ts';
import { unlessAborted } from './unless-aborted.ts';
import { VisitFailure } from './visit-failure.ts';

/** Resolves when the first bytes of the page have come. Throws a VisitFailure when none do, or none that make a page. */
export async function navigate(page: ChromePage, { url, signal }: { url: string; signal: AbortSignal }): Promise<void> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new VisitFailure('unsupported-content', `Only addresses that begin with http:// or https:// are loaded, not ${url}`);
  }
  const { errorText, isDownload } = await unlessAborted(page.main.send('Page.navigate', { url }), signal);
  if (!errorText) return;
  if (isDownload) throw new VisitFailure('unsupported-content', 'The address gives a file to download');

  const status = page.recorder.mainDocument?.status ?? null;
  const statusCode = status === null ? null : failureCodeOfStatus(status);
  if (statusCode) throw new VisitFailure(statusCode, `HTTP ${status}`);
  if (status === 204 || status === 205) throw new VisitFailure('empty-response', `HTTP ${status}`);
  throw new VisitFailure(failureCodeOf(errorText), errorText);
}
