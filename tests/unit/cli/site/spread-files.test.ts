import { expect, test } from 'vitest';
import { countHosts, hostOfFile, nameHosts, nameHostsInText } from '#cli/site/corpus/spread-files.ts';

const hosts = nameHosts('shop', 6);

test('the number of hosts follows the number of objects', () => {
  expect([10, 26, 71, 217].map(countHosts)).toEqual([2, 5, 11, 31]);
});

test('half of the files are of other hosts, the first of these with the most', () => {
  const files = Array.from({ length: 5000 }, (_, index) => `/images/${index}.png`);
  const counts = hosts.map((host) => files.filter((file) => hostOfFile(file, hosts) === host).length);
  expect(counts[0]! / 5000).toBeCloseTo(0.51, 1);
  expect(counts.slice(1)).toEqual(counts.slice(1).sort((one, other) => other - one));
  expect(Math.min(...counts)).toBeGreaterThan(0);
});

test('documents are of the page’s own host', () => {
  expect(hostOfFile('/a/b.html', hosts)).toBe('www.shop.test');
});

test('references in HTML and CSS name the host of their file', () => {
  const files = Array.from({ length: 40 }, (_, index) => `/site/img/${index} a.png`);
  const isThere = (file: string) => files.includes(file);
  const far = files.find((file) => hostOfFile(file, hosts) !== hosts[0])!;
  const near = files.find((file) => hostOfFile(file, hosts) === hosts[0])!;
  const named = `https://${hostOfFile(far, hosts)}${encodeURI(far)}`;
  const inHtml = { file: '/site/index.html', hosts, isThere };
  expect(nameHostsInText(`<img src="img/${far.slice(10)}?v=1">`.replace(' a', '%20a'), inHtml)).toBe(
    `<img src="${named}?v=1">`,
  );
  expect(nameHostsInText(`<i style="background: url('../site/img/${encodeURI(far.slice(10))}')">`, inHtml)).toBe(
    `<i style="background: url('${named}')">`,
  );
  for (const same of [`<img src="img/${encodeURI(near.slice(10))}">`, '<a href="#top">', '<img src="missing.png">'])
    expect(nameHostsInText(same, inHtml)).toBe(same);
  for (const same of ['<img src="data:image/png;base64,AA">', '<a href="%E0%A4%A">'])
    expect(nameHostsInText(same, inHtml)).toBe(same);
});

test('what is outside of the package becomes empty', () => {
  const inHtml = { file: '/index.html', hosts, isThere: () => false };
  expect(nameHostsInText('<script src="//else.test/a.js"></script>', inHtml)).toBe('<script src="data:,"></script>');
  expect(nameHostsInText('<link rel="stylesheet" href="https://else.test/a.css">', inHtml)).toBe(
    '<link rel="stylesheet" href="data:text/css,">',
  );
});
