import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { ImageFormat } from '#httpep/ground/compress/compression.ts';
import { allowsLoss } from '#httpep/exchange/allows-loss.ts';
import { startSite } from '../support/start-site.ts';

const pixels = Buffer.from(Array.from({ length: 120 * 90 * 3 }, (_, place) => (place * place) % 251));
const image = await sharp(pixels, { raw: { width: 120, height: 90, channels: 3 } })
  .jpeg({ quality: 95 })
  .toBuffer();

/** What is asked for when the image of a page was fetched ahead: whether it lost detail, and whether it is what came ahead. */
async function askForHeld(
  format: ImageFormat,
  { ofPage = {}, ofImage = {} }: { ofPage?: Record<string, string>; ofImage?: Record<string, string> },
) {
  await using site = await startSite(
    {
      '/': (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<img src=/a>'),
      '/a': (response) => response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(image),
    },
    { compression: { text: null, images: { format, quality: 30 } } },
  );
  await site.proxied('/', { headers: { accept: 'text/html', ...ofPage } });
  await expect.poll(() => site.remote.pushes.promised).toBe(1);
  const accept = 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';
  const { headers, body } = await site.proxied('/a', { headers: { accept, ...ofImage } });
  const isLossy = headers.includes('HTTPEP-Lossy');
  expect(Buffer.from(body, 'base64').equals(image)).toBe(!isLossy);
  return { isLossy, isHeld: site.remote.pushes.used === 1 };
}

const unchanged = { 'cache-control': 'no-transform' };
const read = { 'sec-fetch-dest': 'empty' };

test.each(['jpeg', 'webp'] as const)(
  'an image that lost detail on its way, as %s, is held for who allows it',
  async (format) => {
    expect(await askForHeld(format, {})).toEqual({ isLossy: true, isHeld: true });
    // As older browsers say it, and as not expected.
    const ofImage = { accept: 'image/webp,*/*' };
    expect(await askForHeld(format, { ofImage })).toEqual({ isLossy: true, isHeld: true });
    expect(await askForHeld(format, { ofImage: { accept: 'image/png' } })).toEqual({ isLossy: false, isHeld: false });
    const page = { 'sec-fetch-dest': 'document' };
    expect(await askForHeld(format, { ofPage: page, ofImage: read })).toEqual({ isLossy: false, isHeld: false });
    expect(await askForHeld(format, { ofImage: unchanged })).toEqual({ isLossy: false, isHeld: false });
  },
);

test('what is fetched ahead for a page that forbids the loss has none (RFC 9111, 5.2.1.6)', async () => {
  const whole = { ofPage: unchanged, ofImage: unchanged };
  expect(await askForHeld('webp', whole)).toEqual({ isLossy: false, isHeld: true });
});

test.each<[string | null, isJpeg: boolean, isWebp: boolean]>([
  [null, true, false],
  ['', false, false],
  ['*/*', true, false],
  ['image/webp', false, true],
  ['image/webp;q=0.001, IMAGE/JPEG', true, true],
  ['image/webp;q=0, image/*', true, false],
  ['image/jpeg;q=0, image/*, */*', false, false],
  ['image/* ; q=0.0, */*', false, false],
  ['image/png, */*;q=0', false, false],
])('who accepts %j takes JPEG: %s, WebP: %s (RFC 9110, 12.5.1)', (accept, isJpeg, isWebp) => {
  const asked = accept === null ? [] : ['Accept', accept];
  expect(['image/jpeg', 'image/webp'].map((type) => allowsLoss(asked, type))).toEqual([isJpeg, isWebp]);
});
