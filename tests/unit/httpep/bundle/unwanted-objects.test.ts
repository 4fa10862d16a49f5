import { expect, test } from 'vitest';
import { startSite, type SiteAnswers } from '../support/start-site.ts';

test.each([768 * 1024, 1_500_000])(
  'a dozen objects of %i bytes that no browser wants hold up no other one',
  async (length) => {
    const large: SiteAnswers[string] = (response) => response.end(Buffer.alloc(length));
    const names = Array.from({ length: 12 }, (_, number) => `/${number}`);
    await using site = await startSite({
      '/': (response) => {
        const images = [...names, '/last'].map((name) => `<img src=${name}>`);
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(images.join(''));
      },
      ...Object.fromEntries(names.map((name) => [name, large])),
      '/last': (response) => response.end('the last'),
    });
    await site.proxied('/', { headers: { accept: 'text/html' } });
    await expect.poll(() => site.remote.pushes.promised).toBe(13);
    const { body } = await site.proxied('/last');
    expect(Buffer.from(body, 'base64').toString()).toBe('the last');
    expect(site.remote.pushes.used).toBe(1);
  },
);
