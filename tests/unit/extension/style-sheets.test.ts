import { expect, test } from 'vitest';
import { findSheetTexts, parseStyleSheets } from '#extension/background/visit/parse-mhtml.ts';

const boundary = '----MultipartBoundary--XnUtnqiI3VYeJAIBBytiyzgGqwvT42nF1J6GKXLovn----';

/** As Chromium 156 saved a page; a page chooses its title. */
function saved(
  parts: readonly { type: string; address: string; encoding?: string; body: string }[],
  title = '',
): string {
  const listed = parts.map(
    ({ type, address, encoding = 'quoted-printable', body }) =>
      `--${boundary}\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\nContent-Location: ${address}\r\n\r\n${body}\r\n`,
  );
  return `From: <Saved by Blink>\r\nSubject: ${title}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="${boundary}"\r\n\r\n\r\n${listed.join('')}--${boundary}--\r\n`;
}

const css = (address: string, body: string, encoding?: string) => ({
  type: 'text/css',
  address,
  body,
  ...(encoding !== undefined && { encoding }),
});

test('the style sheets of a saved page are read, in their encodings, and nothing else of it', () => {
  const sheets = parseStyleSheets(
    saved([
      { type: 'text/html', address: 'http://origin.test/', body: '<p style=3D"x">' },
      css(
        'http://fonts.test/a.css?x=a&b=%C3%BC',
        '@charset "windows-1252";\r\n\r\n@font-face { font-family: Caf=E9; src: url("/a.ttf"); unicode-range: U+0-F=\r\nF; }',
      ),
      css('http://fonts.test/b.css', '@charset "UTF-8";\r\n=C3=A9 =3D'),
      css('cid:css-1@mhtml.blink', 'b { }'),
      css('http://fonts.test/c.css', Buffer.from('c { }').toString('base64'), 'base64'),
    ]),
  );
  expect([...sheets]).toEqual([
    [
      'http://fonts.test/a.css?x=a&b=%C3%BC',
      '@charset "windows-1252";\r\n\r\n@font-face { font-family: Café; src: url("/a.ttf"); unicode-range: U+0-FF; }',
    ],
    ['http://fonts.test/b.css', '@charset "UTF-8";\r\né ='],
    ['http://fonts.test/c.css', 'c { }'],
  ]);
});

test('a title that looks like a boundary changes nothing', () => {
  expect([
    ...parseStyleSheets(
      saved([css('http://fonts.test/a.css', 'a { }')], 'Content-Type: multipart/related; boundary="x"'),
    ),
  ]).toEqual([['http://fonts.test/a.css', 'a { }']]);
});

test('what is no saved page is refused', () => {
  expect(() => parseStyleSheets('<html>')).toThrow('without MIME parts');
});

test('sheets are found with all that they import, each once, however they import each other', () => {
  const texts = new Map([
    [
      'http://fonts.test/css/a.css',
      '@import url("b.css");\n\n@import url("/c.css") screen;\n\n@import url("http://[");',
    ],
    ['http://fonts.test/css/b.css', '@import url("a.css");'],
    ['http://fonts.test/c.css', 'c { }'],
    ['http://other.test/d.css', 'd { }'],
  ]);
  const found = findSheetTexts(['http://fonts.test/css/a.css', 'http://fonts.test/unknown.css'], texts);
  expect(found.map(({ url, importerUrl }) => [url, importerUrl])).toEqual([
    ['http://fonts.test/css/a.css', null],
    ['http://fonts.test/css/b.css', 'http://fonts.test/css/a.css'],
    ['http://fonts.test/c.css', 'http://fonts.test/css/a.css'],
  ]);
});
