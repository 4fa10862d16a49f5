import { withoutFragment } from '#core/metrics/page-object.ts';
import type { FrameSnapshot, NetworkRequest } from '#core/metrics/snapshot.ts';

/**
 * The requests of the page that a step led to. What the step asked for on the page before, until the answer to the navigation came, is no part of
 * it: the page that was left keeps running until then. A hint that comes before the answer is named by an entry of the new page.
 */
export function leaveOutPageBefore(
  requests: readonly NetworkRequest[],
  frames: readonly Pick<FrameSnapshot, 'resources'>[],
): NetworkRequest[] {
  const document = requests.find(({ isMainDocument, failure }) => isMainDocument && failure === null);
  if (!document) return [...requests];
  const { startEpochMs } = document;
  const cameEpochMs = requests.find(
    ({ id, hop, status }) => id === document.id && hop >= document.hop && !isRedirect(status),
  )?.responseEpochMs;
  const named = new Set(frames.flatMap(({ resources }) => resources.map(({ name }) => withoutFragment(name))));
  const isOfPageBefore = (request: NetworkRequest) =>
    request.id !== document.id &&
    !request.isMainDocument &&
    (request.startEpochMs < startEpochMs ||
      (request.startEpochMs < (cameEpochMs ?? Infinity) && !named.has(withoutFragment(request.url))));
  // Hops of a redirect follow their first request.
  const left = new Set(requests.filter((request) => request.hop === 0 && isOfPageBefore(request)).map(({ id }) => id));
  return requests.filter(({ id }) => !left.has(id));
}

function isRedirect(status: number | null): boolean {
  return status !== null && status >= 300 && status < 400;
}
