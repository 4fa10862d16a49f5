import { describe, expect, test } from 'vitest';
import { readStyleSheet } from '#core/page-objects/style-rules.ts';
import { display, wishesOf } from './list-wishes.ts';

const importsOf = (css: string) => readStyleSheet(css, display).imports.map(({ address }) => address);
/** Images of the rules that apply, on a display of that scale. */
const imagesOf = (css: string, scaleRatio = 1) =>
  readStyleSheet(css, { ...display, scaleRatio }).rules.flatMap(({ images }) => images);

describe('an import is read', () => {
  test.each([
    [
      'behind the charset, a statement of layers and what is no rule',
      '@charset "x"; @layer a; @unheard-of; :{} @import "a";',
      ['a'],
    ],
    ['not behind a rule', '@import "a"; p {} @import "b";', ['a']],
    ['not behind another at-rule', '@import "a"; @media print {} @import "b";', ['a']],
    ['not behind a statement of layers that follows an import', '@import "a"; @layer b; @import "c";', ['a']],
    ['not within another rule', '@media all { @import "a"; }', []],
  ])('%s', (_, css, expected) => {
    expect(importsOf(css)).toEqual(expected);
  });
});

test.each([
  ['(display: grid)', true],
  ['not (display: grid)', false],
  ['(display: -ms-grid)', false],
  ['(-ms-ime-align: auto)', false],
  ['(-moz-appearance: none) or (--a: b)', true],
  ['(display: grid) and (not (-webkit-touch-callout: none))', true],
  ['selector(:has(a))', true],
  ['selector(:-moz-focusring)', false],
])('what @supports %s has applies: %s', (condition, isMet) => {
  expect(imagesOf(`@supports ${condition} { p { background: url(a) } }`)).toEqual(isMet ? ['a'] : []);
});

test('an import whose condition is not met does not apply', () => {
  const css =
    '@import "a" supports(display: grid); @import "b" supports(not (display: grid)); @import "c" layer print;';
  expect(readStyleSheet(css, display).imports.map(({ isApplied }) => isApplied)).toEqual([true, false, false]);
});

test('a media query that cannot be read matches nothing', () => {
  expect(
    imagesOf('@media screen and(min-width: 1px) { p { background: url(a) } } @media { p { background: url(b) } }'),
  ).toEqual(['b']);
});

test('a condition within a rule is one of that rule', () => {
  const css =
    'p { background: url(a); @media (min-width: 1px) { background: url(b); & i { content: url(c) } } @media print { background: url(d) } }';
  expect(readStyleSheet(css, display).rules.map(({ selector, images }) => [selector, images])).toEqual([
    ['p', ['a']],
    ['p', ['b']],
    [':is(p) i', ['c']],
  ]);
});

describe('of the images of a rule', () => {
  test.each([
    ['the last of a property counts', 'background: url(a); background: url(b)', ['b']],
    ['a shorthand resets its image', 'background-image: url(a); background: red', []],
    ['what does not set the image resets nothing', 'background: url(a); background-color: red', ['a']],
    ['an important one stays', 'background: url(a) !important; background: url(b)', ['a']],
    ['a prefix means the same', '-webkit-mask-image: url(a); mask: url(b)', ['b']],
    [
      'those for other browsers do not count',
      'background: url(a); background: -moz-linear-gradient(red, blue), url(b)',
      ['a'],
    ],
    [
      'tricks for old browsers do not count',
      'background: url(a); background: url(b)\\9; background: url(c) !ie; *background: url(d); _background: url(e)',
      ['a'],
    ],
    [
      'properties without images have none',
      'behavior: url(a); -moz-binding: url(b); --c: url(c); cursor: url(d), auto',
      ['d'],
    ],
  ])('%s', (_, declarations, expected) => {
    expect(imagesOf(`p { ${declarations} }`)).toEqual(expected);
  });

  test('fonts count likewise', () => {
    expect(readStyleSheet('p { font-family: A; font: 1em B }', display).rules[0]!.fontFamilies).toEqual(['b']);
  });
});

test.each([
  ['url(a) 1x, url(b) 2x', 1, ['a']],
  // The first that is sharp enough, where `srcset` takes the nearer one.
  ['url(a) 1x, url(b) 2x', 1.1, ['b']],
  ['url(a) 1x, url(b) 2x', 3, ['b']],
  ['url(a) 96dpi, url(b) 192dpi', 2, ['b']],
  ['"a" type("image/unheard-of"), "b" type("image/png")', 1, ['b']],
  ['url(a) type("image/avif") 2x, url(b) 1x', 2, ['a']],
  ['linear-gradient(red, blue) 1x, url(b) 2x', 1, []],
])('of image-set(%s) a display of ratio %d shows %j', (set, scaleRatio, expected) => {
  expect(imagesOf(`p { background: image-set(${set}) }`, scaleRatio)).toEqual(expected);
});

describe('a rule of several selectors applies', () => {
  const fetched = (selectors: string) => wishesOf(`<style>${selectors} { background: url(a) }</style><p class=a>x`);
  test.each([
    'html, :host',
    '.a:focus, .a',
    '.a:not(:focus-visible)',
    'x-a:not(:defined), .a',
    'input:placeholder-shown, .a',
  ])('although nothing is in a state that it names: %s', (selectors) => {
    expect(fetched(selectors)).toEqual(['css /dir/a']);
  });
  test.each([':host', '.a:focus', 'p:unheard-of, .a'])('not: %s', (selectors) => {
    expect(fetched(selectors)).toEqual([]);
  });
});

test.each([
  ['media=print', ['import /dir/i']],
  ['media="(min-width: 1px)"', ['import /dir/i', 'css /dir/a']],
  ['type=TEXT/CSS', ['import /dir/i', 'css /dir/a']],
  ['type=text/less', []],
])('of a style element with %s, these are fetched: %j', (attribute, expected) => {
  expect(wishesOf(`<style ${attribute}>@import "i"; p { background: url(a) }</style><p>x`)).toEqual(expected);
});
