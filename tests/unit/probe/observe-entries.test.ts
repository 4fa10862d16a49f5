import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { listEnds, observeEntries } from '#probe/observe-entries.ts';

/** What it is by default. https://w3c.github.io/resource-timing/#dfn-resource-timing-buffer-size-limit */
const usualBufferSize = 250;

test('the end of a request is known where the page keeps no timings and clears them', async () => {
  const server = createServer((_request, response) => response.end('all'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const resources = observeEntries<PerformanceResourceTiming>('resource');
  try {
    performance.setResourceTimingBufferSize(0);
    await (await fetch(url)).text();
    // The entry is made in the turn after the body.
    await setImmediate();
    performance.clearResourceTimings();
    expect(performance.getEntriesByName(url)).toEqual([]);
    const [end, ...others] = listEnds(resources, [url, 'http://origin.test/other']);
    expect(others).toEqual([]);
    expect(end!.name).toBe(url);
    expect(end!.endEpochMs).toBeGreaterThan(end!.startEpochMs);
    expect(listEnds(resources, ['http://origin.test/other'])).toEqual([]);
  } finally {
    performance.setResourceTimingBufferSize(usualBufferSize);
    server.closeAllConnections();
    server.close();
  }
});
