import { randomBytes } from 'node:crypto';
import type { ResourceEntry } from '#core/metrics/frame-snapshot.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { readRecordedVisits } from '#tests/unit/core/metrics/support/recorded-visits.ts';

/** A Snapshot of about that many bytes of JSON: what Chrome recorded of a page with one object, with more objects like it. Their names and times are random, so that it compresses as one of a real page. */
export function makeSizedSnapshot(bytes: number): Snapshot {
  const { snapshot } = readRecordedVisits().find(({ snapshot: { frames } }) => frames[0]!.resources.length === 1)!;
  const [frame] = snapshot.frames;
  const [document, object] = snapshot.requests;
  const resource = frame!.resources[0]!;
  const resources: ResourceEntry[] = [];
  const requests: NetworkRequest[] = [document!];
  for (
    let left = bytes - JSON.stringify({ ...snapshot, frames: [{ ...frame, resources }], requests }).length;
    left > 0;
  ) {
    const url = new URL(`/assets/${randomBytes(6).toString('base64url')}.png`, object!.url).href;
    const request = { ...delay(object!), url, id: `${object!.id}.${resources.length}` };
    const entry = { ...delay(resource), name: url };
    requests.push(request);
    resources.push(entry);
    left -= JSON.stringify(request).length + JSON.stringify(entry).length;
  }
  return { ...snapshot, frames: [{ ...frame!, resources }], requests };
}

/** Each of its times some milliseconds later, with the digits that clocks have. */
function delay<Entry extends NetworkRequest | ResourceEntry>(entry: Entry): Entry {
  const delayMs = Math.random() * 500;
  const changed = Object.entries(entry).map(([key, value]) => [
    key,
    typeof value === 'number' && value > 0 && /Ms$|Start$|End$|startTime/.test(key)
      ? Number((value + delayMs + Math.random()).toFixed(3))
      : value,
  ]);
  return Object.fromEntries(changed) as Entry;
}
