import { expect, test } from 'vitest';
import { usualPolicy } from '#core/page-objects/choose-referrer.ts';
import { findHeader } from '#core/http1/header-list.ts';
import { deriveRequest } from '#httpep/ground/bundle/derive-request.ts';

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
    ...{
      kind: 'request' as const,
      user: 'ann',
      method: 'GET',
      url,
      version: '1.1' as const,
      hasBody: false,
      isUpgrade: false,
    },
    headers: ['Host', 'a.test', 'Accept', ofPage],
  };
  const acceptOf = (type: 'image' | 'document') =>
    findHeader(
      deriveRequest({ head, setCookies: [] }, { url: `${url}x`, type, referrer: { url, policy: usualPolicy } }).headers,
      'accept',
    );
  expect(acceptOf('image')).toBe(ofImages);
  expect(acceptOf('document')).toBe(ofPage);
});

const askFor = (
  pageUrl: string,
  url: string,
  { headers, setCookies = [] }: { headers: string[]; setCookies?: string[] },
) =>
  deriveRequest(
    {
      head: {
        kind: 'request',
        user: 'ann',
        method: 'GET',
        url: pageUrl,
        version: '1.1',
        hasBody: false,
        isUpgrade: false,
        headers,
      },
      setCookies,
    },
    { url, type: 'image', referrer: { url: pageUrl, policy: usualPolicy } },
  ).headers;

test.each<[string, string[], string[]]>([
  ['that were sent', ['Cookie', 'a=1'], []],
  ['that were sent, beside one that is set', ['Cookie', 'a=1'], ['b=2; Path=/']],
  ['that are set, and are Secure', [], ['b=2; Path=/; Secure']],
])('cookies of an https page %s do not go out in clear', (_, headers, setCookies) => {
  const cookieTo = (url: string) => findHeader(askFor('https://a.test/', url, { headers, setCookies }), 'cookie');
  expect(cookieTo('https://a.test/x')).not.toBeNull();
  expect(cookieTo('http://a.test/x')).toBeNull();
});

test('a cookie that an http page sets as Secure does not go out in clear', () => {
  const setCookies = ['b=2; Path=/; Secure'];
  expect(findHeader(askFor('http://a.test/', 'http://a.test/x', { headers: [], setCookies }), 'cookie')).toBeNull();
});

test('another origin sees what the browser is, and nothing else that the page was asked with', () => {
  const ofBrowser = ['User-Agent', 'Browser', 'Accept-Language', 'fr', 'DNT', '1', 'Sec-CH-UA', '"Browser"'];
  const ofSite = ['X-CSRF-Token', 'secret', 'Authorization', 'Basic eA==', 'Sec-CH-UA-Model', '"Phone"', 'X-Own', '1'];
  const headers = [...ofBrowser, ...ofSite];
  const foreign = askFor('http://a.test/', 'http://b.test/x', { headers });
  for (const name of ['user-agent', 'accept-language', 'dnt', 'sec-ch-ua'])
    expect(findHeader(foreign, name)).toBe(findHeader(headers, name));
  for (const name of ['x-csrf-token', 'authorization', 'sec-ch-ua-model', 'x-own'])
    expect(findHeader(foreign, name)).toBeNull();
  const own = askFor('http://a.test/', 'http://a.test/x', { headers });
  expect(findHeader(own, 'x-csrf-token')).toBe('secret');
  expect(findHeader(own, 'authorization')).toBe('Basic eA==');
});

test('of the cookies that a page sets, as many count as browsers keep', () => {
  const setCookies = Array.from({ length: 1000 }, (_, index) => `c${index}=1`);
  const cookies = findHeader(
    askFor('http://a.test/', 'http://a.test/x', { headers: ['Cookie', 'a=1'], setCookies }),
    'cookie',
  );
  expect(cookies!.split('; ').toSorted()).toEqual(setCookies.slice(-180).toSorted());
});

test.each([
  [
    'whose names say that they are Secure',
    '__Host-a=1; __Secure-b=2; c=3',
    ['d=4'],
    '__Host-a=1; __Secure-b=2; c=3; d=4',
  ],
  ['one of which is set again for the site', 'a=1; id=old; b=2', ['id=new; Domain=example.com'], 'a=1; id=new; b=2'],
  ['one of which is deleted for the site', 'a=1; id=old', ['id=; Domain=example.com; Max-Age=0'], 'a=1'],
  ['one of which is set for another site', 'id=old; b=2', ['id=new; Domain=other.com'], 'id=old; b=2'],
])('beside those that a page sets, its objects have the cookies %s', (_, sent, setCookies, expected) => {
  const [page, image] = ['https://www.example.com/', 'https://www.example.com/x'];
  expect(findHeader(askFor(page, image, { headers: ['Cookie', sent], setCookies }), 'cookie')).toBe(expected);
});

test.each(['test', 'local', 'example'])(
  'an object of the host %s is asked for with the cookies that a page of that host sets',
  (host) => {
    for (const page of ['http://a.test/', `http://${host}/`]) {
      const asked = askFor(page, `http://${host}/x`, { headers: [], setCookies: ['a=1'] });
      expect(findHeader(asked, 'host')).toBe(host);
      expect(findHeader(asked, 'cookie')).toBe(page.includes('//a.') ? null : 'a=1');
    }
  },
);

test('what a browser says of a whole page, that nothing is kept or changed on its way, holds for its objects', () => {
  const controlOf = (...values: string[]) =>
    findHeader(
      askFor('http://a.test/', 'http://b.test/x', { headers: values.flatMap((value) => ['Cache-Control', value]) }),
      'cache-control',
    );
  expect(controlOf('no-cache')).toBe('no-cache');
  expect(controlOf('max-age=0', 'x, No-Transform')).toBe('No-Transform');
  expect(controlOf('max-age=0')).toBeNull();
});
