import { describe, expect, test } from 'vitest';
import { EncodingSearch } from '#core/page-objects/choose-encoding.ts';

/** The encoding of a document that comes in parts of that size. */
function encodingOf(
  text: string,
  { type = 'text/html', parent, partBytes = 100 }: { type?: string; parent?: string; partBytes?: number } = {},
) {
  const search = new EncodingSearch(type, parent);
  const bytes = Buffer.from(text, 'latin1');
  for (let place = 0; place < bytes.length; place += partBytes) {
    const decoder = search.add(bytes.subarray(place, place + partBytes));
    if (decoder) return decoder.encoding;
  }
  return search.end().encoding;
}

const koi = '<meta charset=koi8-r>';
const long = (text: string) => text.repeat(2000 / text.length);

describe('the encoding that HTML names is read', () => {
  test.each([
    ['by its charset', koi],
    ['by its content', '<meta http-equiv=Content-Type content="text/html; charset = \'koi8-r\'; x">'],
    ['behind a bracket in quotation marks', '<meta name="a>b" charset="koi8-r">'],
    ['behind one that is none', `<meta charset=none>${koi}`],
    ['wherever in the first 1024 bytes', `<p>${'x'.repeat(900)}${koi}`],
    ['in a head that is longer', `<!doctype html><html><head><!--${long('x')}--><script>${long('<p>')}</script>${koi}`],
    ['at the end of a short page', `<p>x</p>${koi}`],
  ])('%s', (_, html) => {
    for (const partBytes of [1, 100, 10_000]) expect(encodingOf(html, { partBytes })).toBe('koi8-r');
  });

  test.each([
    ['from a description', '<meta name=description content="text/html; charset=koi8-r">'],
    ['from an attribute of another name', '<meta data-charset=koi8-r>'],
    ['from a comment, a title or a script', `<!--${koi}--><title>${koi}</title><script>"${koi}"</script>`],
    ['from an attribute of another element', `<html title="${koi}">`],
    ['from a body behind the first 1024 bytes', `<body>${long('x')}${koi}`],
  ])('not %s', (_, html) => {
    for (const partBytes of [1, 100, 10_000]) expect(encodingOf(html, { partBytes })).toBe('windows-1252');
  });
});

test.each([
  ['text/html; charset=none', koi, 'koi8-r'],
  ['text/html; charset=utf-8', koi, 'utf-8'],
  ['application/xhtml+xml', koi, 'utf-8'],
])('of %s it is what both say', (type, text, expected) => {
  expect(encodingOf(text, { type, partBytes: 4 })).toBe(expected);
});

test.each([
  ['text/html', 'utf-8', 'utf-8'],
  ['text/html', 'utf-16le', 'windows-1252'],
  ['text/html; charset=koi8-r', 'utf-8', 'koi8-r'],
  ['application/xml', 'koi8-r', 'utf-8'],
])('a frame of the type %s that says nothing, in a page in %s, is in %s', (type, parent, expected) => {
  expect(encodingOf('<p>x</p>', { type, parent })).toBe(expected);
});

test('a document is read as soon as its encoding is known, and not before', () => {
  const search = new EncodingSearch('text/html');
  expect(search.add(Buffer.from('<head><title>x'))).toBeNull();
  expect(search.add(Buffer.from('</title><meta charset=utf-8'))).toBeNull();
  expect(search.add(Buffer.from('>'))?.encoding).toBe('utf-8');
  expect(new EncodingSearch('text/html; charset=utf-8').add(Buffer.from('<p>'))?.encoding).toBe('utf-8');
});
