import { withoutFragment } from '#core/metrics/page-object.ts';
import type { FrameSnapshot, NetworkRequest } from '#core/metrics/snapshot.ts';

/**
 * The requests of the page that a step led to. What the step asked for on the page before is no part of it. That page keeps running until the new one takes
 * its place, some time after the answer has begun: until then, only what an entry of the new page names is its own, such as an early hint.
 */
export function leaveOutPageBefore(
  requests: readonly NetworkRequest[],
  frames: readonly Pick<FrameSnapshot, 'path' | 'timeOrigin' | 'resources' | 'navigation'>[],
): NetworkRequest[] {
  const document = requests.find(({ isMainDocument, failure }) => isMainDocument && failure === null);
  if (!document) return [...requests];
  const own = new Set(requests.filter(({ id }) => id === document.id).map(({ url }) => withoutFragment(url)));
  const cameEpochMs = requests.findLast(({ id }) => id === document.id)?.responseEpochMs ?? Infinity;
  const named = new Set(
    frames.flatMap(({ resources, navigation }) => [
      ...(navigation ? [withoutFragment(navigation.name)] : []),
      ...resources.map(({ name }) => withoutFragment(name)),
    ]),
  );
  const begunEpochMs = Math.min(
    ...frames
      .filter(({ path }) => path.length === 0)
      .flatMap(({ timeOrigin, resources }) => resources.slice(0, 1).map(({ startTime }) => timeOrigin + startTime)),
  );
  const isByOwn = ({ initiatorUrl }: NetworkRequest) => initiatorUrl !== null && own.has(withoutFragment(initiatorUrl));
  const isOfPageBefore = (request: NetworkRequest) => {
    const { id, isMainDocument, startEpochMs, url } = request;
    if (id === document.id || isMainDocument) return false;
    if (startEpochMs < document.startEpochMs) return true;
    if (named.has(withoutFragment(url))) return false;
    return startEpochMs < cameEpochMs || (startEpochMs < begunEpochMs && !isByOwn(request));
  };
  // Hops of a redirect follow their first request.
  const left = new Set(requests.filter((request) => request.hop === 0 && isOfPageBefore(request)).map(({ id }) => id));
  return requests.filter(({ id }) => !left.has(id));
}
