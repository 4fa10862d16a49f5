import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DecodingPlaces, ImagePacker } from '#httpep/ground/compress/image-packer.ts';
import { recompressImage } from '#httpep/ground/compress/recompress-image.ts';
import type { ImageFormat } from '#httpep/ground/compress/compression.ts';
import { HeldTime } from '#tests/support/held-time.ts';
import type { Question } from '../support/ask.ts';
import { startSite } from '../support/start-site.ts';

/** A picture with detail, so that a lower quality is shorter. */
function draw(seed: number) {
  const [width, height] = [240, 180];
  const pixels = Buffer.alloc(width * height * 3);
  for (let place = 0; place < pixels.length; place++) {
    const [x, y] = [Math.floor(place / 3) % width, Math.floor(place / 3 / width)];
    pixels[place] = 128 + 60 * Math.sin((x * seed) / 9 + (place % 3)) + 60 * Math.cos((x * y * seed) / 900);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

const jpeg = await draw(1).jpeg({ quality: 90 }).toBuffer();
const low = await draw(2).jpeg({ quality: 10 }).toBuffer();
const turned = await draw(3).jpeg({ quality: 90 }).withMetadata({ orientation: 6 }).toBuffer();
const png = await draw(4).png().toBuffer();
const clear = await draw(5).ensureAlpha(0.5).png().toBuffer();
const broken = Buffer.concat([jpeg.subarray(0, 500), Buffer.alloc(9000, 7)]);

const send = (body: Buffer, type: string, { status = 200, ...headers }: Record<string, string | number> = {}) => {
  return (response: ServerResponse) =>
    response
      .writeHead(Number(status), { 'Content-Type': type, 'Content-Length': body.length, ETag: '"a"', ...headers })
      .end(body);
};

/** Sends the rest of what is slow to come. */
let finishSlow = () => undefined as unknown;

const answers = {
  '/jpeg': send(jpeg, 'image/jpeg', {
    'Accept-Ranges': 'bytes',
    'Last-Modified': 'Wed, 25 Nov 2026 00:00:00 GMT',
    'X-Kept': 'a',
  }),
  '/turned': send(turned, 'image/jpeg'),
  '/png': send(png, 'image/png'),
  '/low': send(low, 'image/jpeg'),
  '/clear': send(clear, 'image/png'),
  '/broken': send(broken, 'image/jpeg'),
  '/fixed': send(jpeg, 'image/jpeg', { 'Cache-Control': 'max-age=5, no-transform' }),
  '/part': send(jpeg.subarray(0, 900), 'image/jpeg', { status: 206, 'Content-Range': `bytes 0-899/${jpeg.length}` }),
  '/gone': send(jpeg, 'image/jpeg', { status: 404 }),
  '/file': send(jpeg, 'image/jpeg', { 'Content-Disposition': 'attachment; filename=a.jpg' }),
  '/text': send(Buffer.from('a text that is one'), 'text/plain'),
  '/cut': (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': jpeg.length });
    response.write(jpeg.subarray(0, 900), () => response.socket?.destroy());
  },
  '/slow': (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'image/jpeg' }).write(jpeg.subarray(0, 900));
    finishSlow = () => response.end(jpeg.subarray(900));
  },
};

const accept = { accept: 'image/avif,image/webp,*/*;q=0.8' };

describe.each<[ImageFormat, string[]]>([
  // Opaque images only, and none that is short already.
  ['jpeg', ['/low', '/clear']],
  ['webp', []],
])('as %s', (format, leftAlone) => {
  let site: Awaited<ReturnType<typeof startSite>>;
  beforeAll(async () => {
    site = await startSite(answers, { compression: { text: 'brotli', images: { format, quality: 50 } } });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  test.each<[keyof typeof answers, Buffer, string, { width: number; height: number }]>([
    ['/jpeg', jpeg, 'image/jpeg', { width: 240, height: 180 }],
    ['/turned', turned, 'image/jpeg', { width: 180, height: 240 }],
    ['/png', png, 'image/png', { width: 240, height: 180 }],
  ])('%s becomes shorter, looks alike, and is marked', async (path, original, type, size) => {
    const { status, headers, body } = await site.proxied(path, { headers: accept });
    const packed = Buffer.from(body, 'base64');
    expect(status).toBe(200);
    expect(packed.length).toBeLessThan(0.9 * original.length);
    expect(await sharp(packed).metadata()).toMatchObject({ format, ...size });
    const pixelsOf = (image: Buffer) => sharp(image).autoOrient().raw().toBuffer();
    const [before, after] = [await pixelsOf(original), await pixelsOf(packed)];
    const meanError = before.reduce((sum, value, n) => sum + Math.abs(value - after[n]!), 0) / before.length;
    expect(meanError).toBeLessThan(12);
    expect(headers).toEqual([
      ...(path === '/jpeg' ? ['X-Kept', 'a'] : []),
      ...['Content-Type', `image/${format}`, 'Content-Length', String(packed.length)],
      ...['Vary', 'Accept', 'HTTPEP-Lossy', `${type}; bytes=${original.length}; quality=50`],
    ]);
  });

  test.each<[keyof typeof answers, Question?]>([
    ...leftAlone.map((path): [keyof typeof answers] => [path as keyof typeof answers]),
    ['/broken'],
    ['/fixed'],
    ['/part'],
    ['/gone'],
    ['/file'],
    ['/text'],
    ['/cut'],
    ['/jpeg', { method: 'HEAD' }],
    ['/jpeg', { headers: { 'cache-control': 'no-transform' } }],
    ['/jpeg', { headers: { 'sec-fetch-dest': 'empty' } }],
    ['/jpeg', { headers: { accept: 'image/png' } }],
    ['/jpeg', { headers: { accept: 'image/*;q=0.5, image/webp; q=0, image/jpeg;q=0.000' } }],
  ])('%s stays what it is, byte for byte', async (path, question = {}) => {
    const asked = { ...question, headers: { ...accept, ...question.headers } };
    const [proxied, direct] = await Promise.all([site.proxied(path, asked), site.direct(path, asked)]);
    expect(proxied).toEqual(direct);
  });
});

test('a browser that does not take WebP gets the image that the web server sent', async () => {
  await using site = await startSite(answers, { compression: { text: null, images: { format: 'webp', quality: 50 } } });
  expect(await site.proxied('/jpeg')).toEqual(await site.direct('/jpeg'));
});

test('an image that takes more than 2 s to come passes as it comes', async () => {
  const time = new HeldTime();
  await using site = await startSite(answers, {
    compression: { text: null, images: { format: 'jpeg', quality: 50 } },
    time,
  });
  const request = sendRequest({ port: site.remote.port, path: `${site.url}/slow`, headers: accept, agent: false });
  request.end();
  let response: IncomingMessage | null = null;
  request.on('response', (begun) => (response = begun));
  const look = async () => {
    await time.pass(500);
    return response !== null;
  };
  await expect.poll(look, { interval: 5 }).toBe(true);
  finishSlow();
  expect(await buffer(response!)).toEqual(jpeg);
});

describe('an image that takes more than its page needs is not decoded', () => {
  const blank = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#808080' } });

  test('beyond 16 million pixels', async () => {
    const [small, large] = await Promise.all([50, 5000].map((height) => blank(4000, height).png().toBuffer()));
    expect(await recompressImage(small!, { format: 'webp', quality: 50 })).not.toBeNull();
    expect(await recompressImage(large!, { format: 'webp', quality: 50 })).toBeNull();
  });

  test('of very many scans', async () => {
    const progressive = await draw(1).jpeg({ quality: 90, progressive: true }).toBuffer();
    expect(await recompressImage(progressive, { format: 'webp', quality: 50 })).not.toBeNull();
    const scan = progressive.indexOf(Buffer.of(0xff, 0xda));
    const end = progressive.indexOf(Buffer.of(0xff, 0xda), scan + 2);
    const scans = Array.from({ length: 30 }, () => progressive.subarray(scan, end));
    const many = Buffer.concat([progressive.subarray(0, scan), ...scans, progressive.subarray(end)]);
    expect(await recompressImage(many, { format: 'webp', quality: 50 })).toBeNull();
  });

  test('of several frames', async () => {
    const header = 8 + 25;
    const control = Buffer.alloc(8 + 8 + 4);
    control.writeUInt32BE(8, 0);
    control.write('acTL', 4);
    control.writeUInt32BE(2, 8);
    control.writeUInt32BE(crc32(control.subarray(4, 16)), 16);
    const animated = Buffer.concat([png.subarray(0, header), control, png.subarray(header)]);
    expect((await sharp(animated).metadata()).width).toBe(240);
    expect(await recompressImage(png, { format: 'webp', quality: 50 })).not.toBeNull();
    expect(await recompressImage(animated, { format: 'webp', quality: 50 })).toBeNull();
  });

  test('of another kind than it says', async () => {
    const vector = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${' '.repeat(9000)}</svg>`,
    );
    expect(await recompressImage(vector, { format: 'webp', quality: 50 })).toBeNull();
  });
});

test('images take turns at the places for decoding, and those that wait for more than 2 s pass as they are', async () => {
  const time = new HeldTime();
  const places = new DecodingPlaces(1);
  const packer = new ImagePacker({ format: 'jpeg', quality: 50 }, time.sleep, places);
  const pack = () => packer.pack(Readable.from([jpeg]), { user: 'ann', type: 'image/jpeg', headers: [] });
  const held = await places.take(new AbortController().signal);
  const waiting = [pack(), pack()];
  await time.pass(1999);
  held![Symbol.dispose]();
  for (const each of waiting) expect((await each).headers).not.toBeNull();

  using _taken = await places.take(new AbortController().signal);
  const late = pack();
  await time.pass(2000);
  const { headers, body } = await late;
  expect(headers).toBeNull();
  expect(await buffer(body as AsyncIterable<Buffer>)).toEqual(jpeg);
});
