import { findCountedObjects } from './find-counted-objects.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * How many of the objects that the total latency counts came by which version of HTTP, by its name in ALPN, such as `h2`. Of redirects the last hop counts. What came from the cache came by none; nor is
 * anything counted where neither the engine nor the page reports it, as of an object without an answer.
 */
export function countHttpVersions(snapshot: Snapshot): Record<string, number> {
  const versions = findCountedObjects(snapshot).flatMap(({ hops, entry, frame }) => {
    const last = hops.at(-1);
    if (last?.fromCache) return [];
    return last?.protocol || (entry ?? frame?.navigation)?.nextHopProtocol || [];
  });
  return Object.fromEntries(
    [...Map.groupBy(versions, (version) => version)].map(([version, objects]) => [version, objects.length]),
  );
}
