import { unlessAborted } from '#core/unless-aborted.ts';
import { describeNavigationFailure, requireWebAddress } from '../browser/navigation-failure.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import type { ChromePage } from './open-page.ts';

/** Resolves when the first bytes of the page have come. Throws a VisitFailure when none do, or none that make a page. */
export async function navigate(page: ChromePage, { url, signal }: { url: string; signal: AbortSignal }): Promise<void> {
  requireWebAddress(url);
  const { errorText, isDownload } = await unlessAborted(page.main.send('Page.navigate', { url }), signal);
  if (!errorText) return;
  if (isDownload) throw new VisitFailure('unsupported-content', 'The address gives a file to download');
  throw describeNavigationFailure(errorText, page.recorder.mainDocument);
}
