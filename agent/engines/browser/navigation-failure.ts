import { failureCodeOf, failureCodeOfStatus } from '#core/metrics/failure-code.ts';
import type { NetworkRequest } from '#core/metrics/snapshot.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';

/** Throws a VisitFailure for an address that is no page of the web, such as one of a file or of the browser itself. */
export function requireWebAddress(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new VisitFailure(
    'unsupported-content',
    `Only addresses that begin with http:// or https:// are loaded, not ${url}`,
  );
}

/** Why a navigation led to no page: by what its last answer said, else by the browser's words. */
export function describeNavigationFailure(errorText: string, document: NetworkRequest | null): VisitFailure {
  const status = document?.status ?? null;
  const statusCode = status === null ? null : failureCodeOfStatus(status);
  if (statusCode) return new VisitFailure(statusCode, `HTTP ${status}`);
  if (status === 204 || status === 205) return new VisitFailure('empty-response', `HTTP ${status}`);
  return new VisitFailure(failureCodeOf(errorText), errorText);
}
