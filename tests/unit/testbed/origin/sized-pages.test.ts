import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { askOrigin } from './ask-origin.ts';
import { holdForAll } from '#tests/support/hold.ts';

const origin = holdForAll(() => startOrigin({ seed: 5 }));

async function listImages(path: string): Promise<string[]> {
  const { status, body } = await askOrigin(origin, origin.httpUrl + path);
  expect(status).toBe(200);
  return [...body.toString().matchAll(/<img src="([^"]+)"/g)].map((match) => match[1]!);
}

async function readImages(paths: string[]): Promise<Buffer[]> {
  return await Promise.all(paths.map(async (path) => (await askOrigin(origin, origin.httpUrl + path)).body));
}

test.each([200, 250, 333, 1000, 1199, 1200, 5000, 15_000, 20_000, 100_000, 1_000_000])(
  'objects of %i bytes are whole JPEGs of exactly that size, of which the picture needs most',
  async (sizeBytes) => {
    const paths = await listImages(`/page/3x${sizeBytes}`);
    expect(paths).toHaveLength(3);
    const images = await readImages(paths);
    expect(images.map((image) => image.length)).toEqual([sizeBytes, sizeBytes, sizeBytes]);
    expect(new Set(images.map((image) => image.toString('base64'))).size).toBe(3);
    for (const image of images) {
      await sharp(image, { failOn: 'warning' }).stats();
      const pictureBytes = image.lastIndexOf(Buffer.from([0xff, 0xd9])) + 2;
      expect(pictureBytes).toBeGreaterThan(sizeBytes * 0.6);
    }
  },
);

test('a page has as many objects as its path says, the first 12 of them at the top', async () => {
  for (const [path, count] of [
    ['/page/1x5000', 1],
    ['/page/1000x200', 1000],
    ['/images/1000', 1000],
  ] as const) {
    const images = await listImages(path);
    expect(images, path).toHaveLength(count);
    expect(images.filter((image) => image.includes('counts=viewport'))).toHaveLength(Math.min(12, count));
  }
});

test('a page of 640 icons has images of a kilobyte, 360 of them at the top', async () => {
  const images = await listImages('/icons/640');
  expect(images).toHaveLength(640);
  expect(images.filter((image) => image.includes('counts=viewport'))).toHaveLength(360);
  const bodies = await readImages(images.filter((_, index) => index % 100 === 0));
  expect(bodies.map((body) => body.length)).toEqual(bodies.map(() => 1000));
});

test('a page of images takes a size for all of them', async () => {
  const images = await readImages(await listImages('/images/3?sizeBytes=15000&visit=sized'));
  expect(images.map((image) => image.length)).toEqual([15_000, 15_000, 15_000]);
  const logged = origin.truth.requests('sized').filter(({ object }) => object !== null);
  expect(logged.map(({ bodyBytes }) => bodyBytes)).toEqual([15_000, 15_000, 15_000]);
});

test('the log has the bytes of each body that was sent', async () => {
  origin.truth.clear();
  const { body } = await askOrigin(origin, `${origin.httpUrl}/page/2x5000?chunks=7&chunkGapMs=1`);
  await fetch(`${origin.httpUrl}/image/1.jpg?sizeBytes=5000`, { method: 'HEAD' });
  expect(origin.truth.requests().map(({ bodyBytes }) => bodyBytes)).toEqual([body.length, 0]);
});

test('the images are the same for the same seed', async () => {
  await using same = await startOrigin({ seed: 5 });
  await using other = await startOrigin({ seed: 6 });
  const [image, again, elsewhere] = await Promise.all(
    [origin, same, other].map(
      async (from) => (await askOrigin(from, `${from.httpUrl}/image/1.jpg?sizeBytes=2000`)).body,
    ),
  );
  expect(again!.equals(image!)).toBe(true);
  expect(elsewhere!.equals(image!)).toBe(false);
});
