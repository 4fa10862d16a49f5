import { findCountedObjects } from './find-counted-objects.ts';
import { readProtocol } from './read-protocol.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Which objects of these origins came by another version of HTTP than this, by its name in ALPN; null for none. The base page is judged wherever it came from. An object whose version neither the engine nor
 * the page reports is not judged, as one without an answer.
 */
export function explainOtherProtocol(
  snapshot: Snapshot,
  { protocol, origins }: { protocol: string; origins: readonly string[] },
): string | null {
  const judged = findCountedObjects(snapshot).flatMap((object) => {
    const url = object.hops.at(-1)?.url ?? object.url;
    const version = readProtocol(object);
    const isMeasured =
      object.hops.at(-1)?.isMainDocument || (URL.canParse(url) && origins.includes(new URL(url).origin));
    return version !== null && isMeasured ? [{ url, version }] : [];
  });
  const others = judged.filter(({ version }) => version !== protocol);
  const [first] = others;
  if (!first) return null;
  return `${others.length} of ${judged.length} objects did not come by ${protocol}: ${first.url} came by ${first.version}`;
}
