import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { openSession } from './support/open-session.ts';
import { noIcon, servePages } from './support/serve-pages.ts';
import { takeSnapshot } from './support/visit-for-snapshot.ts';

const visits = 12;
const slowMs = 700;

test('a page settles with or without the scripts of its shared workers, and each of them has an end', async () => {
  const script = (text: string) => (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'text/javascript' }).end(text);
  await using server = await servePages({
    '/': (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end(`${noIcon}<script>
        for (const name of ['empty', 'broken', 'throws', 'missing', 'slow']) new SharedWorker('/' + name + '.js');
        new SharedWorker('/module.js', { type: 'module' });</script>`),
    '/empty.js': script(''),
    '/broken.js': script('}{'),
    '/throws.js': script('throw new Error("at once")'),
    '/module.js': script('export {}'),
    '/missing.js': (response) => void response.writeHead(404).end(),
    '/slow.js': (response) => {
      response.writeHead(200, { 'content-type': 'text/javascript' }).write(' '.repeat(100_000));
      setTimeout(() => response.end('1'), slowMs);
    },
  });
  await using session = await openSession({ pageLoad: { restMs: 0, quietMs: 100, timeoutMs: 8000 } });
  for (let visit = 0; visit < visits; visit += 1) {
    const snapshot = await takeSnapshot(session, server.url);
    const workers = snapshot.requests.filter(({ url }) => url.endsWith('.js'));
    expect(workers).toHaveLength(6);
    expect(workers.filter(({ endEpochMs }) => endEpochMs === null).map(({ url }) => url)).toEqual([]);
    const slow = workers.find(({ url }) => url.endsWith('/slow.js'))!;
    expect(slow.endEpochMs! - slow.startEpochMs).toBeGreaterThanOrEqual(slowMs);
    expect(snapshot.settled).toBe(true);
  }
});
