import { findCountedObjects } from './find-counted-objects.ts';
import { readProtocol } from './read-protocol.ts';
import type { Snapshot } from './snapshot.ts';

/** How many of the objects that the total latency counts came by which version of HTTP. What came by none, or by one that is not known, is not counted. */
export function countHttpVersions(snapshot: Snapshot): Record<string, number> {
  const versions = findCountedObjects(snapshot).flatMap((object) => readProtocol(object) ?? []);
  return Object.fromEntries(
    [...Map.groupBy(versions, (version) => version)].map(([version, objects]) => [version, objects.length]),
  );
}
