import { AppError } from '#core/app-error.ts';
import { explainNavigation } from '#core/metrics/page-failure.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';

/** Throws a VisitFailure for an address that is no page of the web, such as one of a file or of the browser itself. */
export function requireWebAddress(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new VisitFailure(
    'unsupported-content',
    `Only addresses that begin with http:// or https:// are loaded, not ${url}`,
  );
}

export function describeNavigationFailure(errorText: string, document: NetworkRequest | null): VisitFailure {
  const { code, detail } = explainNavigation(errorText, document?.status ?? null);
  return new VisitFailure(code, detail);
}

/** What an error in a Visit means: the browser's end explains every other error that comes with it. */
export function readFailure(error: unknown, state: { isAborted: boolean; isBrowserGone: boolean }): VisitFailure {
  if (state.isAborted) return new VisitFailure('aborted', 'The Visit was aborted');
  if (error instanceof VisitFailure) return error;
  if (error instanceof AppError) return new VisitFailure('browser-crashed', error.message);
  if (state.isBrowserGone) return new VisitFailure('browser-crashed', 'The browser ended during the Visit');
  return new VisitFailure('engine-error', error instanceof Error ? error.message : String(error));
}
