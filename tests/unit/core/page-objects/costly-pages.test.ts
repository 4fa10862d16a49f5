import { describe, expect, test } from 'vitest';
import { readLength } from '#core/page-objects/css-length.ts';
import { DocumentObjects } from '#core/page-objects/document-objects.ts';
import { readSourceSet } from '#core/page-objects/image-candidates.ts';
import { matchesMedia } from '#core/page-objects/media-query.ts';
import { readStyleSheet, type FontFace } from '#core/page-objects/style-rules.ts';

const display = { widthPx: 1000, heightPx: 500, scaleRatio: 1 };

/** Paths of what a document is seen to want, and of what these selectors with an image, and these fonts, bring in. */
function pathsOf(
  text: string,
  {
    contentType = 'text/html; charset=utf-8',
    selectors = [],
    fontFaces = [],
  }: { contentType?: string; selectors?: string[]; fontFaces?: FontFace[] } = {},
) {
  const paths: string[] = [];
  const note = (address: string) => void paths.push(new URL(address).pathname);
  const document = new DocumentObjects({
    url: 'http://a.test/',
    contentType,
    display,
    listener: {
      onWish: (wish) => (wish.kind === 'inner-document' ? undefined : note(wish.address)),
      onStyleText: () => undefined,
      onStyleImage: note,
      onFont: note,
    },
  });
  document.write(Buffer.from(text));
  document.end();
  document.addStyles({
    rules: selectors.map((selector, index) => ({ selector, images: [`/rule${index}`], fontFamilies: ['f'] })),
    fontFaces,
  });
  return paths;
}

describe('a document is read as far as it costs little', () => {
  test('up to 200,000 elements, of which a tag may make hundreds', () => {
    const forms = Array.from({ length: 100 }, (_, index) => `<font a=${index}>`).join('');
    const page = (count: number) => `<p>${forms}</p>${'<p>x'.repeat(count)}<img src=last>`;
    expect(pathsOf(page(2100))).toEqual([]);
  });

  test('as deep as elsewhere in templates, which are documents of their own', () => {
    const within = (depth: number) => `${'<template shadowrootmode=open>'.repeat(depth)}<img src=deep>`;
    expect(pathsOf(within(900))).toEqual(['/deep']);
    expect(pathsOf(within(1100))).toEqual([]);
  });

  test('as deep, and as many elements, in XML, whatever they and their prefixes are', () => {
    const xml = (body: string) =>
      pathsOf(`<html xmlns="http://www.w3.org/1999/xhtml">${body}`, { contentType: 'application/xhtml+xml' });
    expect(xml(`${'<p>'.repeat(900)}<img src="deep"/>`)).toEqual(['/deep']);
    expect(xml(`${'<p>'.repeat(1100)}<img src="deep"/>`)).toEqual([]);
    expect(xml(`${'<p>'.repeat(900)}${'<a:b/>'.repeat(20_000)}<img src="last"/>`)).toEqual(['/last']);
    expect(xml(`${'<p/>'.repeat(210_000)}<img src="last"/>`)).toEqual([]);
    const attributes = (prefix: string) => Array.from({ length: 500 }, (_, index) => `${prefix}${index}=""`).join(' ');
    expect(xml(`${`<p ${attributes('xmlns:a')}>`.repeat(900)}<img src="last"/>`)).toEqual(['/last']);
  });

  test('with a base that is an address, and no text of its own', () => {
    const withBase = (length: number) => `<base href="/${'x'.repeat(length)}/"><img src=a>`;
    expect(pathsOf(withBase(9000))).toEqual([`/${'x'.repeat(9000)}/a`]);
    expect(pathsOf(withBase(11_000))).toEqual(['/a']);
  });

  test('with pictures of one image', () => {
    const picture = (count: number) => `<picture>${'<source srcset=a>'.repeat(count)}<img src=b></picture>`;
    expect(pathsOf(picture(900))).toEqual(['/a']);
    expect(pathsOf(picture(1100))).toEqual(['/b']);
  });

  test.each([
    ['elements beside each other', '<i></i>'.repeat(700), '.x ~ i ~ i'],
    ['elements in each other', '<b>'.repeat(150), '.x b b b'],
    ['elements right behind each other', '<i></i>'.repeat(12_000), `.x${' + i'.repeat(1000)}`],
    ['positions', '<i></i>'.repeat(6000), ':nth-child(n+9999)'],
    ['long attributes', `<i title="${'x '.repeat(200_000)}">${'<i></i>'.repeat(9)}`, `${'[title~=y],'.repeat(300)}.z`],
    ['long selectors', '<i>', `${'.x,'.repeat(900_000)}.y`],
  ])('until its selectors took all steps that they may: %s', (_, html, selector) => {
    const page = `${html}<u></u>`;
    expect(pathsOf(page, { selectors: ['u'] })).toEqual(['/rule0']);
    expect(pathsOf(page, { selectors: [selector, 'u'] })).toEqual([]);
  });

  test('until its fonts did, each of whose ranges is compared with each sign of the text', () => {
    const text = String.fromCodePoint(...Array.from({ length: 5000 }, (_, index) => 0x4e00 + index));
    const face = (count: number): FontFace => {
      const ranges = Array.from({ length: count }, (): [number, number] => [1, 1]);
      return { family: 'f', address: '/font', ranges: [...ranges, [0x4e00, 0x4e00]] };
    };
    const fonts = (count: number) => pathsOf(text, { selectors: ['body'], fontFaces: [face(count)] });
    expect(fonts(1000)).toEqual(['/rule0', '/font']);
    expect(fonts(3000)).toEqual(['/rule0']);
  });
});

describe('a style sheet is read as far as it costs little', () => {
  const selectorsOf = (text: string) => readStyleSheet(text, display).rules.map(({ selector }) => selector.length);
  const nested = (selector: string, depth: number) =>
    `a{${`${selector}{`.repeat(depth)}background:url(x)${'}'.repeat(depth + 1)}`;

  test.each(['& &', '&,&'])('selectors that double with each rule that they are in: %s', (selector) => {
    expect(selectorsOf(nested(selector, 10))).toHaveLength(1);
    expect(selectorsOf(nested(selector, 22))).toEqual([]);
  });

  test('selectors that a long one is in', () => {
    const lengths = selectorsOf(`${'x'.repeat(50_000)}{${'&{background:url(x)}'.repeat(200)}}`);
    expect(lengths.length).toBeGreaterThan(30);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(2_000_000);
  });

  test.each(['@media all{', 'a{', '@layer{', ':not(', '@supports (', '@media (', 'calc(', '[', '{'])(
    'nested by the hundred as far as it goes, and by the thousand not at all: %s',
    (opened) => {
      const sheet = (depth: number) => `@import "first";${opened.repeat(depth)}`;
      const importsOf = (depth: number) => readStyleSheet(sheet(depth), display).imports.length;
      expect(importsOf(400)).toBe(1);
      for (const depth of [600, 5000, 9000, 20_000]) expect(importsOf(depth)).toBe(0);
    },
  );

  test('images without end are images', () => {
    const [rule] = readStyleSheet(`a{background:${'url(x),'.repeat(200_000)}url(y)}`, display).rules;
    expect(rule!.images).toHaveLength(200_001);
  });
});

test('attributes that are longer than people write them are left out', () => {
  const terms = (count: number) => `calc(${'1px + '.repeat(count)}1px)`;
  expect(readLength(terms(100), display)).toBe(101);
  expect(readLength(terms(200), display)).toBeNull();
  const media = (count: number) => `${'print, '.repeat(count)}screen`;
  expect(matchesMedia(media(1000), display)).toBe(true);
  expect(matchesMedia(media(2000), display)).toBe(false);
  const candidates = (srcset: string, sizes = '100px') => readSourceSet(srcset, { sizes, display });
  expect(candidates('a 1w,'.repeat(10_000))).toHaveLength(10_000);
  expect(candidates('a 1w,'.repeat(30_000))).toEqual([]);
  const sizes = (count: number) => `${'print 5px, '.repeat(count)}200px`;
  expect(candidates('a 1000w', sizes(100))[0]!.density).toBe(5);
  expect(candidates('a 1000w', sizes(1000))[0]!.density).toBe(1);
});
