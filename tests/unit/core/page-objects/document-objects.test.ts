import { describe, expect, test } from 'vitest';
import { readLength } from '#core/page-objects/css-length.ts';
import { DocumentObjects } from '#core/page-objects/document-objects.ts';
import { chooseCandidate, readSourceSet } from '#core/page-objects/image-candidates.ts';
import { matchesMedia } from '#core/page-objects/media-query.ts';
import { readStyleSheet } from '#core/page-objects/style-rules.ts';
import { display, wishesOf, wishesOfType } from './list-wishes.ts';

describe('a document wants', () => {
  test.each([
    ['an image', '<img src="a.png">', ['image /dir/a.png']],
    ['what stands behind its base', '<base href="/other/"><base href="/no/"><img src=a.png>', ['image /other/a.png']],
    [
      'the matching source of a picture, and only those before the image',
      '<picture><source media="(max-width: 10px)" srcset=no><source type="image/no" srcset=no><source srcset="b 2x, a 1x"><img src=no><source srcset=no></picture>',
      ['image /dir/a'],
    ],
    ['a lazy image: what is far away is not known', '<img loading=lazy src=a>', ['image /dir/a']],
    ['an SVG image', '<svg><image href=a /><image xlink:href=b /></svg>', ['image /dir/a', 'image /dir/b']],
    [
      'the image of an SVG file that it uses',
      '<svg><use href="#in" /><use href="sprite.svg#x" /></svg>',
      ['other /dir/sprite.svg'],
    ],
    [
      'posters, buttons and backgrounds',
      '<body background=a><video poster=b></video><input type=IMAGE src=c><table background=d></table>',
      ['image /dir/a', 'image /dir/b', 'image /dir/c', 'image /dir/d'],
    ],
    [
      'scripts that a browser of today runs',
      '<script src=a></script><script type=module src=b></script><script nomodule src=no></script><script type="text/template" src=no></script>',
      ['script /dir/a', 'script /dir/b'],
    ],
    [
      'style sheets, those of other media too',
      '<link rel="stylesheet" href=a><link rel=stylesheet media=print href=b><link rel=stylesheet disabled href=no><link rel=stylesheet type=text/no href=no>',
      ['style-sheet /dir/a', 'style-sheet /dir/b'],
    ],
    [
      'preloads of a kind that it knows',
      '<link rel=preload as=image href=a><link rel=preload as=font href=b><link rel=preload href=no><link rel=preload as=image imagesrcset="c 1x, d 2x"><link rel=preload as=script media=print href=no>',
      ['image /dir/a', 'font /dir/b', 'image /dir/c'],
    ],
    [
      'neither icons, manifests nor prefetches',
      '<link rel=icon href=a><link rel=manifest href=b><link rel=prefetch href=c><link rel=dns-prefetch href=//d>',
      [],
    ],
    [
      'frames of each kind',
      '<iframe src=a></iframe><object data=b></object><embed src=c><iframe srcdoc="<p>"></iframe><iframe></iframe>',
      ['frame /dir/a', 'frame /dir/b', 'frame /dir/c', 'inner-document'],
    ],
    [
      'nothing of templates but of shadow trees',
      '<template><img src=no></template><div><template shadowrootmode=open><img src=a></template></div>',
      ['image /dir/a'],
    ],
    ['nothing of noscript', '<noscript><img src=no></noscript><img src=a>', ['image /dir/a']],
    ['no other place by itself', '<meta http-equiv=refresh content="0; url=/no"><a href=no></a>', []],
    [
      'nothing that is not of the network',
      '<img src="file:///etc/passwd"><img src="data:,a"><img src="blob:http://a/b"><iframe src="javascript:1"></iframe><iframe src=about:blank></iframe><link rel=stylesheet href=file:///a><img src="http://[">',
      [],
    ],
    [
      'what malformed HTML means',
      '<img src=a<p><table><img src=b><tr><td <img src=c',
      ['image /dir/a%3Cp', 'image /dir/b'],
    ],
    [
      'images of style attributes',
      '<p style="background: url(a) no-repeat, url(\'b\')">',
      ['css /dir/a', 'css /dir/b'],
    ],
    [
      'images of the rules that match',
      '<style>.a::before { background: url(a) } .b { background: url(no) } p:hover { background: url(no) } .c { & > i { list-style-image: url(b) } }</style><p class="a c"><i></i>',
      ['css /dir/a', 'css /dir/b'],
    ],
    [
      'fonts that a matching rule names, of those for its text',
      '<style>@font-face { font-family: "My Font"; src: local(x), url(no) format("svg"), url(a) format(woff2) } @font-face { font-family: my font; src: url(no); unicode-range: U+400-4FF } @font-face { font-family: Other; src: url(no) } p { font: bold 1em/2 "My Font", serif }</style><p>Text',
      ['font /dir/a'],
    ],
  ])('%s', (_name, html, expected) => {
    expect(wishesOf(html)).toEqual(expected);
  });

  test('what it names as soon as the tag has come, wherever the text is cut', () => {
    const html = '<!doctype html><base href="/b/"><img srcset="é.png 1x"><style>p{background:url(x)}</style><p>';
    const bytes = Buffer.from(html);
    for (let place = 1; place < bytes.length; place++) {
      expect(wishesOf(bytes.subarray(0, place), bytes.subarray(place))).toEqual(['image /b/%C3%A9.png', 'css /b/x']);
    }
  });
});

test.each([
  ['(min-width: 600px) and (max-resolution: 2dppx)', true],
  ['print, screen', true],
  ['not all', false],
  ['(400px <= width < 900px)', false],
  ['(400px <= width < 900px) or (orientation: landscape)', true],
  ['(width > 62.5em)', false],
  ['not (hover)', false],
  ['(prefers-color-scheme: dark)', false],
  ['(prefers-reduced-motion)', false],
  ['(aspect-ratio: 2/1)', true],
  ['only screen and (-webkit-min-device-pixel-ratio: 1.5)', false],
  ['(unheard-of: 1)', false],
  ['((((', false],
  ['', true],
])('the media query %j matches: %s', (media, expected) => {
  expect(matchesMedia(media, display)).toBe(expected);
});

test.each([
  ['10px', 10],
  ['50vw', 500],
  ['calc(100vw - 2 * 10px)', 980],
  ['calc((1in + 4px) / 2)', 50],
  ['min(10vw, 20vh, 5em)', 80],
  ['clamp(1px, 50vh, 10rem)', 160],
  ['2 apples', null],
  ['10px)', null],
  ['auto', null],
])('the length %j is %s pixels', (text, expected) => {
  expect(readLength(text, display)).toBe(expected);
});

test.each([
  ['a 1x, b 2x', undefined, 1, 'a'],
  ['a 1x, b 2x', undefined, 2, 'b'],
  // The geometric mean of 1 and 2 is 1.41.
  ['a 1x, b 2x', undefined, 1.4, 'a'],
  ['a 1x, b 2x', undefined, 1.5, 'b'],
  ['a 500w, b 1000w, c 2000w', '100vw', 1, 'b'],
  ['a 500w, b 1000w, c 2000w', '(max-width: 100px) 100vw, calc(50vw - 10px)', 1, 'a'],
  ['a 500w, b 1000w', '(min-width: 1px) and (max-width: 9px) 1px, min(2000px, 100vw)', 2, 'b'],
  ['a?x=1,2 1x', undefined, 1, 'a?x=1,2'],
  ['a, b 3q, c 2x', undefined, 2, 'c'],
  ['a 1x 2x', undefined, 1, null],
  ['', undefined, 1, null],
])('of %j with the sizes %j a display of ratio %d shows %s', (srcset, sizes, scaleRatio, expected) => {
  expect(
    chooseCandidate(readSourceSet(srcset, { sizes, display: { ...display, scaleRatio } }), { ...display, scaleRatio }),
  ).toBe(expected);
});

test('a style sheet is read for its display: imports, conditions, the images of the rules that are left', () => {
  const sheet = readStyleSheet(
    `@import "a.css"; @import url(b.css) layer(x) supports(display: grid) screen; @import url(print.css) print;
    @media print { p { background: url(no) } } @media (min-width: 1px) { @supports (display: grid) { p { background: image-set("no" 2x, url(a) 1x), url(#filter) } } }
    } broken { : url( ; q { background: url("b") }`,
    display,
  );
  expect(sheet.imports).toEqual([
    { address: 'a.css', isApplied: true },
    { address: 'b.css', isApplied: true },
    { address: 'print.css', isApplied: false },
  ]);
  expect(sheet.rules[0]).toEqual({ selector: 'p', images: ['a'], fontFamilies: [] });
  expect(sheet.rules.flatMap(({ images }) => images)).not.toContain('no');
});

test('a document is read up to an element that is in a thousand others, as each of these costs a step for it', () => {
  const within = (depth: number) => `<img src=first>${'<div>'.repeat(depth)}<img src=deep>`;
  expect(wishesOf(within(900))).toEqual(['image /dir/first', 'image /dir/deep']);
  expect(wishesOf(within(1100), '<img src=after>')).toEqual(['image /dir/first']);
});

test.for<[string, string, string[]]>([
  ['in double quotes', '<?xml-stylesheet type="text/css" href="a.css"?>', ['style-sheet /dir/a.css']],
  ['in single quotes, with spaces', "<?xml-stylesheet href = 'a.css' type='text/css' ?>", ['style-sheet /dir/a.css']],
  ['of no type', '<?xml-stylesheet href="a.css"?>', ['style-sheet /dir/a.css']],
  ['that is no CSS', '<?xml-stylesheet type="text/xsl" href="a.xsl"?>', []],
  ['without an address', '<?xml-stylesheet type="text/css" data-href="a.css"?>', []],
  ['of another name', '<?xml-stylesheets href="a.css"?>', []],
])('an XML document wants a style sheet that it names %s', ([, instruction, wishes]) => {
  const svg = `${instruction}<svg xmlns="http://www.w3.org/2000/svg"><image href="b.png"/></svg>`;
  expect(wishesOfType('image/svg+xml', svg)).toEqual([...wishes, 'image /dir/b.png']);
  expect(wishesOf(svg)).toEqual(['image /dir/b.png']);
});

/** What Chrome and Firefox ask for on the same documents. */
describe('an XML document is read as XML', () => {
  const xhtml = (body: string, start = '') =>
    wishesOfType(
      'application/xhtml+xml',
      `${start}<html xmlns="http://www.w3.org/1999/xhtml" xmlns:s="http://www.w3.org/2000/svg">${body}</html>`,
    );

  test.each([
    [
      'each element may be closed at once',
      '<head><title/><style/><script src="a"/></head><body><iframe src="b"/><img src="c"/></body>',
      ['script /dir/a', 'frame /dir/b', 'image /dir/c'],
    ],
    [
      'a prefix means a namespace',
      '<s:svg><s:image xlink:href="a"/><s:script href="b"/></s:svg>',
      ['image /dir/a', 'script /dir/b'],
    ],
    [
      'what only another namespace has shows nothing',
      '<image href="no"/><use href="no#x"/><img xmlns="urn:x" src="no"/>',
      [],
    ],
    ['what is in noscript are elements', '<noscript><img src="a"/></noscript>', ['image /dir/a']],
    ['templates are inert', '<template><img src="no"/></template><img src="a"/>', ['image /dir/a']],
    ['styles may be in a CDATA section', '<style><![CDATA[p { background: url(a) }]]></style><p/>', ['css /dir/a']],
    ['nothing is read after an error', '<img src="a"/><b></p><img src="no"/></b>', ['image /dir/a']],
    ['an entity that nothing declares is an error', '<img src="a"/>&nbsp;<img src="no"/>', ['image /dir/a']],
  ])('%s', (_, body, wishes) => {
    expect(xhtml(body)).toEqual(wishes);
  });

  test('a document type may declare entities', () => {
    expect(xhtml('&nbsp;&amp;<img src="a&amp;b"/>', '<!DOCTYPE html SYSTEM "x.dtd">')).toEqual(['image /dir/a&b']);
  });

  test('it names its style sheets before its first element', () => {
    expect(xhtml('<img src="b"/>', '<?xml-stylesheet href="a.css"?>')).toEqual([
      'style-sheet /dir/a.css',
      'image /dir/b',
    ]);
  });

  test('SVG that names no namespace shows nothing', () => {
    expect(wishesOfType('image/svg+xml', '<svg><image href="no"/></svg>')).toEqual([]);
    expect(wishesOfType('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><image href="a"/></svg>')).toEqual([
      'image /dir/a',
    ]);
  });
});

test.each([
  ['text/html', '<?xml version="1.0" encoding="windows-1252"?>', '%FC'],
  ['text/html', '<?xml encoding="windows-1252"?><meta charset="utf-8"/>', '%C3%BC'],
  ['application/xhtml+xml', '<?xml version="1.0" encoding="windows-1252"?>', '%FC'],
])('%s that begins with %s has the encoding that browsers take', (contentType, start, query) => {
  const html = `${start}<html xmlns="http://www.w3.org/1999/xhtml"><img src="/a?\u00fc"/></html>`;
  const bytes = Buffer.from(html, query === '%FC' ? 'latin1' : 'utf8');
  expect(wishesOfType(contentType, bytes)).toEqual([`image /a?${query}`]);
});

test('XHTML has no encoding of a meta element', () => {
  const html = '<html xmlns="http://www.w3.org/1999/xhtml"><meta charset="windows-1252"/><img src="/a?\u00fc"/></html>';
  expect(wishesOfType('application/xhtml+xml', html)).toEqual(['image /a?%C3%BC']);
});

test('an alternative style sheet of an XML document is fetched, and does not apply', () => {
  const applied: boolean[] = [];
  const ignore = () => undefined;
  for (const alternate of ['', ' alternate="no"', " alternate='yes'"]) {
    const objects = new DocumentObjects({
      url: 'http://site.test/',
      contentType: 'image/svg+xml',
      display,
      listener: {
        onWish: (wish) => wish.kind === 'style-sheet' && applied.push(wish.isApplied),
        onStyleText: ignore,
        onStyleImage: ignore,
        onFont: ignore,
      },
    });
    objects.write(Buffer.from(`<?xml-stylesheet href="a.css"${alternate}?><svg xmlns="http://www.w3.org/2000/svg"/>`));
    objects.end();
  }
  expect(applied).toEqual([true, true, false]);
});
