import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { CounterFile } from '#httpep/counters/counter-file.ts';
import type { CounterSource } from '#httpep/counters/counter-help.ts';
import { serveMetrics } from '#httpep/counters/serve-metrics.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { startSite, type SiteAnswers } from '../support/start-site.ts';

const noise = Buffer.from(Array.from({ length: 90_000 }, (_, n) => 128 + 90 * Math.sin(n * n)));
const jpeg = await sharp(noise, { raw: { width: 200, height: 150, channels: 3 } })
  .jpeg({ quality: 90 })
  .toBuffer();
const html = `<img src=/a><img src=/b><img src=/c>${'words and words '.repeat(500)}`;

const answers: SiteAnswers = {
  '/': (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(html),
  '/a': (response) => response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(jpeg),
  '/b': (response) => response.end('b of ten'),
  '/c': (response) => response.end('nobody asks'),
  '/gone': (response) => response.socket?.destroy(),
};

const sumsOf = (source: CounterSource, kind: 'user' | 'connection') =>
  source.readRows().filter((row) => row.kind === kind);

async function loadPage(site: Awaited<ReturnType<typeof startSite>>) {
  await site.proxied('/', { headers: { accept: 'text/html' } });
  await expect.poll(() => site.remote.pushes.promised).toBe(3);
  const accept = 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';
  const image = await site.proxied('/a', { headers: { accept } });
  await site.proxied('/b');
  await site.proxied('/gone');
  return Buffer.from(image.body, 'base64').length;
}

test('both ends count what passed for a user, before and after compression', async () => {
  await using site = await startSite(answers, {
    compression: { text: 'brotli', images: { format: 'jpeg', quality: 30 } },
  });
  const lossyBytes = await loadPage(site);
  const [remote] = sumsOf(site.remote.counters, 'user');
  const bodyBytes = html.length + lossyBytes + 'b of ten'.length;
  expect(remote).toMatchObject({
    labels: { user: '127.0.0.1' },
    sums: { requests: 4, connects: 0, refused: 0, failed: 0, pages: 1, answers: 4, promised: 3, used: 2, unused: 0 },
  });
  const { sums } = remote!;
  expect(sums.bodyBytes).toBeGreaterThan(bodyBytes);
  // The last answer is that of the ground end itself, on the reset.
  expect(sums.bodyBytes).toBeLessThan(bodyBytes + 200);
  expect(sums.bodyBytes! - sums.tunnelBytes!).toBeGreaterThan(7000);
  expect(sums.waitMs).toBeGreaterThan(0);
  const [ground] = sumsOf(site.ground.counters, 'user');
  expect(ground).toMatchObject({
    labels: { user: '127.0.0.1' },
    sums: { requests: 2, pushes: 3, connects: 0, failed: 1, texts: 1, lossyImages: 1 },
  });
  expect(ground!.sums).toMatchObject({ lossyOriginalBytes: jpeg.length, lossyBytes });
  expect(ground!.sums.originBytes).toBe(html.length + jpeg.length + 'b of tennobody asks'.length);
  expect(ground!.sums.tunnelBytes).toBeLessThan(lossyBytes + 1000);
});

test('each connection counts the frames and bytes that the other end counts', async () => {
  await using site = await startSite(answers);
  await loadPage(site);
  const byEnd = () =>
    [site.remote, site.ground].map(({ counters }) => sumsOf(counters, 'connection').map(({ sums }) => sums));
  await expect
    .poll(() => {
      const [remote, ground] = byEnd();
      return ground!.map((sums, n) => [
        sums.framesSent! - remote![n]!.framesReceived!,
        sums.framesReceived! - remote![n]!.framesSent!,
        sums.bytesSent! - remote![n]!.bytesReceived!,
        sums.bytesReceived! - remote![n]!.bytesSent!,
      ]);
    })
    .toEqual([1, 2, 3, 4].map(() => [0, 0, 0, 0]));
  const [remote] = byEnd();
  expect(remote!.map(({ opened, framesResent }) => [opened, framesResent])).toEqual([1, 2, 3, 4].map(() => [1, 0]));
  const total = remote!.reduce((sum, { bytesReceived }) => sum + bytesReceived!, 0);
  expect(total).toBeGreaterThan(jpeg.length);
  // The greeting is not counted.
  expect(total).toBeLessThan(site.tunnelBytes());
});

test('the file has a line of each page when it is over, and of what changed; Prometheus reads the same', async () => {
  await using folder = await makeTemporaryFolder();
  await using site = await startSite(answers);
  const file = path.join(folder.path, 'counters.jsonl');
  const notes: string[] = [];
  {
    const { counters } = site.remote;
    await using lines = await CounterFile.open(file, { source: counters, onNote: (text) => notes.push(text) });
    counters.on('page', (page) => lines.addPage({ ...page }));
    await loadPage(site);
    await site.proxied('/', { headers: { accept: 'text/html' } });
  }
  const read = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(notes).toEqual([]);
  expect((await stat(file)).mode & 0o077).toBe(0);
  // The second page leaves the first: what that has not asked for is given up.
  expect(read.filter(({ kind }) => kind === 'page')).toEqual([
    expect.objectContaining({
      ...{ end: 'remote', user: '127.0.0.1', url: `${site.url}/` },
      ...{ requests: 4, promised: 3, used: 2, failed: 0 },
      firstWaitMs: expect.any(Number) as number,
      totalMs: expect.any(Number) as number,
    }),
  ]);
  expect(read.findLast(({ kind }) => kind === 'user')).toMatchObject({ user: '127.0.0.1', requests: 5, pages: 2 });
  expect(read.filter(({ kind }) => kind === 'connection').length).toBeGreaterThanOrEqual(4);

  await using server = await serveMetrics(site.remote.counters, { host: '127.0.0.1', port: 0 });
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  expect(response.headers.get('content-type')).toContain('version=0.0.4');
  expect(await response.text()).toContain('\nhttpep_remote_user_requests_total{user="127.0.0.1"} 5\n');
  expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404);
});

test('a file that cannot be written is refused', async () => {
  await using site = await startSite(answers);
  const source = site.remote.counters;
  await expect(CounterFile.open('/proc/no/file', { source, onNote: () => undefined })).rejects.toMatchObject({
    code: 'invalid-input',
  });
});
