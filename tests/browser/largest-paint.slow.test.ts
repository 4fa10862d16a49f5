import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { noIcon, servePages } from './support/serve-pages.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

const library = path.join(
  path.dirname(createRequire(import.meta.url).resolve('web-vitals')),
  'web-vitals.attribution.iife.js',
);
const parts = ['firstByteMs', 'lcpResourceDelayMs', 'lcpResourceMs', 'lcpRenderDelayMs'] as const;
const engines = [
  { name: 'chrome', open: openSession },
  ...(isFirefoxLeftOut ? [] : [{ name: 'firefox', open: openFirefoxSession }]),
];

let origin: Origin;
beforeAll(async () => {
  origin = await startOrigin({});
});
afterAll(() => origin.close());

describe.each(engines)('the largest contentful paint in $name', ({ open }) => {
  test('has the parts that web-vitals finds in the same page', async () => {
    const image = (id: number) => `${origin.httpUrl}/image/${id}?sizeBytes=30000&delayMs=200&tao=1`;
    const bodies = {
      '/text': '<h1>A heading</h1>',
      '/image': `<img src="${image(3)}" width=600 height=400 alt="">`,
      '/late': `<p>Text</p><script>setTimeout(() => {
        const image = new Image(600, 400);
        image.src = '${image(4)}';
        document.body.append(image);
      }, 300)</script>`,
    };
    const report = `<script>${await readFile(library, 'utf8')};
      webVitals.onLCP(({ value, attribution }) => performance.mark('web-vitals', { detail: JSON.stringify([
        value, attribution.timeToFirstByte, attribution.resourceLoadDelay, attribution.resourceLoadDuration,
        attribution.elementRenderDelay]) }), { reportAllChanges: true })</script>`;
    await using server = await servePages(
      Object.fromEntries(
        Object.entries(bodies).map(([place, body]) => [place, `<!doctype html>${noIcon}<body>${body}${report}`]),
      ),
    );
    await using session = await open({});
    for (const place of Object.keys(bodies)) {
      const snapshot = await takeSnapshot(session, `${server.url}${place}`);
      const marks = (snapshot.frames[0]!.userTimings ?? []).filter(({ name }) => name === 'web-vitals');
      const expected = JSON.parse(String(marks.at(-1)!.detail)) as number[];
      const found = ['largestContentfulPaintMs' as const, ...parts].map((metric) => valueOf(snapshot, metric));
      expect(found.length).toBe(expected.length);
      for (const [index, value] of found.entries()) expect(value, place).toBeCloseTo(expected[index]!, 3);
    }
  });
});
