import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Origin, startOrigin } from '#testbed/origin/start-origin.ts';
import { askOrigin } from './ask-origin.ts';

let origin: Origin;
let folder: string;
beforeAll(async () => {
  [origin, folder] = await Promise.all([startOrigin({ seed: 5 }), mkdtemp(join(tmpdir(), 'origin-images-'))]);
});
afterAll(() => Promise.all([origin.close(), rm(folder, { recursive: true })]));

async function readImage(from: Origin, n: number): Promise<Buffer> {
  return (await askOrigin(from, `${from.httpUrl}/image/${n}.jpg?counts=viewport`)).body;
}

test('the images are JPEGs of 10 kB on average that really need their bytes', async () => {
  const images = await Promise.all(Array.from({ length: 30 }, (_, index) => readImage(origin, index + 1)));
  const meanBytes = images.reduce((sum, image) => sum + image.length, 0) / images.length;
  expect(meanBytes).toBeGreaterThan(9_000);
  expect(meanBytes).toBeLessThan(11_000);

  for (const image of images.slice(0, 3)) {
    expect(await sharp(image).metadata()).toMatchObject({ format: 'jpeg', width: 240, height: 180 });
    const again = await sharp(image).jpeg({ quality: 75 }).toBuffer();
    expect(again.length).toBeGreaterThan(image.length * 0.9);
  }
});

test('a page of thumbnails has images of 1 to 2 kB, none of them cut off', async () => {
  const page = (await askOrigin(origin, `${origin.httpUrl}/thumbnails/12`)).body.toString();
  const paths = [...page.matchAll(/<img src="([^"]+)"/g)].map((match) => match[1]!.replaceAll('&amp;', '&'));
  expect(paths).toHaveLength(12);
  const images = await Promise.all(paths.map(async (path) => (await askOrigin(origin, origin.httpUrl + path)).body));
  for (const image of images) {
    expect(image.length).toBeGreaterThan(700);
    expect(image.length).toBeLessThan(2_000);
    expect(await sharp(image, { failOn: 'warning' }).stats()).toMatchObject({ isOpaque: true });
  }
});

test('images differ from one another and between seeds, and are the same for the same seed', async () => {
  const [same, other] = await Promise.all([startOrigin({ seed: 5 }), startOrigin({ seed: 6 })]);
  try {
    const [image, next, again, elsewhere] = await Promise.all([
      readImage(origin, 1),
      readImage(origin, 2),
      readImage(same, 1),
      readImage(other, 1),
    ]);
    expect(again.equals(image)).toBe(true);
    expect(next.equals(image)).toBe(false);
    expect(elsewhere.equals(image)).toBe(false);
  } finally {
    await Promise.all([same.close(), other.close()]);
  }
});

test('an image can be as long as is ordered, and is still a JPEG', async () => {
  const { body } = await askOrigin(origin, `${origin.httpUrl}/image/1.jpg?counts=viewport&sizeBytes=123456`);
  expect(body).toHaveLength(123_456);
  expect(await sharp(body, { failOn: 'warning' }).stats()).toMatchObject({ isOpaque: true });
});

test('a folder’s JPEGs are served instead, in order and over and over', async () => {
  await Promise.all(['b.jpg', 'a.JPEG', 'note.txt'].map((name) => writeFile(join(folder, name), `bytes of ${name}`)));
  const own = await startOrigin({ imagesFolder: folder });
  try {
    const bodies = await Promise.all([1, 2, 3].map(async (n) => (await readImage(own, n)).toString()));
    expect(bodies).toEqual(['bytes of a.JPEG', 'bytes of b.jpg', 'bytes of a.JPEG']);
  } finally {
    await own.close();
  }
});

test('every page of images has the same text of some 6 kB, and as many images as its path says', async () => {
  const read = async (n: number) => (await askOrigin(origin, `${origin.httpUrl}/images/${n}`)).body.toString();
  const [none, one, thirty] = await Promise.all([read(0), read(1), read(30)]);
  const textOf = (html: string) => [...html.matchAll(/<p>(.*?)<\/p>/g)].map((match) => match[1]).join('');
  const countImages = (html: string) => [...html.matchAll(/<img /g)].length;

  expect([none, one, thirty].map(countImages)).toEqual([0, 1, 30]);
  expect(new Set([none, one, thirty].map(textOf)).size).toBe(1);
  expect(textOf(none).length).toBeGreaterThan(5_500);
  expect(textOf(none).length).toBeLessThan(6_500);
});

test('objects may be cached, pages may not, and only who asks for it sees timings from another origin', async () => {
  const page = await askOrigin(origin, `${origin.httpUrl}/images/1?tao=1`);
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.body.toString()).toMatch(/\/image\/1\.jpg\?[^"]*tao=1/);

  const object = await askOrigin(origin, `${origin.httpUrl}/image/1.jpg?counts=viewport`);
  expect(object.headers).toMatchObject({ 'cache-control': 'public, max-age=3600' });
  expect(object.headers).not.toHaveProperty('timing-allow-origin');
  const open = await askOrigin(origin, `${origin.httpUrl}/image/1.jpg?counts=viewport&tao=1`);
  expect(open.headers['timing-allow-origin']).toBe('*');
});
