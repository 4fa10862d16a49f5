import { expect, test } from 'vitest';
import { makeSeededBytes } from '#tests/support/seeded-bytes.ts';
import { startSite, type SiteAnswers } from '../support/start-site.ts';

const image: SiteAnswers[string] = (response) => response.end('an image');
const names = Array.from({ length: 60 }, (_, n) => `/${n}/a`);
const images = names.map((name) => `<img src=${name}>`).join('');
const page =
  (text: string): SiteAnswers[string] =>
  (response) => {
    const cookies = names.flatMap((_, n) => ['Set-Cookie', `c${n}=1; Path=/${n}`]);
    response.writeHead(200, ['Content-Type', 'text/html', ...cookies]).end(text);
  };

test.each([
  ['each other, and with long ones of the page', images, makeSeededBytes(6000).toString('hex')],
  [
    'each other, and with an address that is too long for any web server',
    `${images}<img src=/${'x'.repeat(700_000)}>`,
    '',
  ],
])('objects whose header fields differ from %s are all promised', async (_, text, long) => {
  await using site = await startSite({ '/': page(text), ...Object.fromEntries(names.map((name) => [name, image])) });
  const answer = await site.proxied('/', { headers: { accept: 'text/html', 'x-long': long } });
  expect(answer).toMatchObject({ status: 200, isBrokenOff: false, body: Buffer.from(text).toString('base64') });
  await expect.poll(() => site.remote.pushes.promised).toBe(names.length);
});
