import { expect, test } from 'vitest';
import { findHeader } from '#pep/exchange/header-list.ts';
import { deriveRequest } from '#pep/ground/bundle/derive-request.ts';

/** As Chromium 156 and Firefox 140 sent them. */
test.each([
  [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
    'image/jxl,image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  ],
  [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
    'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  ],
  [
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
  ],
])('a browser that accepts %s for pages accepts %s for images', (ofPage, ofImages) => {
  const url = 'http://a.test/';
  const head = {
    ...{ kind: 'request' as const, user: 'ann', method: 'GET', url, hasBody: false, isUpgrade: false },
    headers: ['Host', 'a.test', 'Accept', ofPage],
  };
  const acceptOf = (type: 'image' | 'document') =>
    findHeader(deriveRequest({ head, setCookies: [] }, { url: `${url}x`, type, namedBy: url }).headers, 'accept');
  expect(acceptOf('image')).toBe(ofImages);
  expect(acceptOf('document')).toBe(ofPage);
});
