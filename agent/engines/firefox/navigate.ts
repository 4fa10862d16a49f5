import { unlessAborted } from '#core/unless-aborted.ts';
import { describeNavigationFailure, requireWebAddress } from '../browser/navigation-failure.ts';
import { BidiError } from './bidi-connection.ts';
import { readErrorName } from './network-events.ts';
import type { FirefoxPage } from './open-page.ts';

/** Resolves when the first bytes of the page have come. Throws a VisitFailure when none do, or none that make a page. */
export async function navigate(
  page: FirefoxPage,
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<void> {
  requireWebAddress(url);
  try {
    await unlessAborted(
      page.connection.send('browsingContext.navigate', { context: page.contextId, url, wait: 'none' }),
      signal,
    );
  } catch (error) {
    // So Firefox calls a navigation that led to a page about an error, which its message names.
    if (!(error instanceof BidiError) || error.code !== 'unknown error') throw error;
    throw describeNavigationFailure(readErrorName(error.message), page.recorder.mainDocument);
  }
}
