import { expect, test } from 'vitest';
import { DocumentObjects } from '#core/page-objects/document-objects.ts';
import { display, wishesOf } from './list-wishes.ts';

test.each([
  ['<script src=" "></script><iframe src=" "></iframe><input type=image src=" "><link rel=stylesheet href=" ">', []],
  ['<video poster=" "></video><body background=" "><svg><image href=" "/><use href=" "/></svg>', []],
])('blanks are no address: %s', (html, expected) => {
  expect(wishesOf(html)).toEqual(expected);
});

test.each([
  ['text/css; charset=utf-8', ['style-sheet /dir/a']],
  ['Text/CSS', ['style-sheet /dir/a']],
  ['text/less', []],
])('a style sheet of the type "%s" is fetched: %j', (type, expected) => {
  expect(wishesOf(`<link rel=stylesheet type="${type}" href=a>`)).toEqual(expected);
});

test.each([
  ['as=image type="image/webp"', ['image /dir/a']],
  ['as=image type="image/unheard-of"', []],
  ['as=font type="font/woff2"', ['font /dir/a']],
  ['as=font type="application/font-woff"', []],
  ['as=script type="text/javascript; charset=utf-8"', ['script /dir/a']],
  ['as=script type="text/template"', []],
  ['as=style type="text/less"', []],
  ['as=fetch type="application/unheard-of"', ['fetch /dir/a']],
])('a preload %s is fetched: %j', (attributes, expected) => {
  expect(wishesOf(`<link rel=preload href=a ${attributes}>`)).toEqual(expected);
});

test('what is shown instead of an object or a film is not fetched, but its images are', () => {
  expect(wishesOf('<object data=a><embed src=no><object data=no></object><img src=b></object>')).toEqual([
    'frame /dir/a',
    'image /dir/b',
  ]);
  expect(wishesOf('<video><object data=no></object></video><object><embed src=a></object>')).toEqual(['frame /dir/a']);
});

test('each part of a table may have a background', () => {
  const table = '<table><thead background=a><tr background=b><tbody background=c><tfoot background=d></table>';
  expect(wishesOf(table)).toEqual(['image /dir/a', 'image /dir/b', 'image /dir/c', 'image /dir/d']);
});

test('a module is no script for old browsers alone', () => {
  expect(wishesOf('<script type=MODULE nomodule src=a></script>')).toEqual(['script /dir/a']);
});

test('a document that came with its parent has the addresses of that, until it has a base of its own', () => {
  const addresses: string[] = [];
  const ignore = () => undefined;
  const document = new DocumentObjects({
    ...{
      url: 'http://site.test/page',
      baseUrl: 'http://site.test/base/',
      contentType: 'text/html; charset=utf-8',
      display,
    },
    listener: {
      onWish: (wish) => wish.kind === 'object' && addresses.push(wish.address),
      onStyleText: ignore,
      onStyleImage: ignore,
      onFont: ignore,
    },
  });
  document.write(Buffer.from('<svg><base href=/no/></svg><img src=a><base href=own/><base href=/no/><img src=b>'));
  document.end();
  expect(addresses).toEqual(['http://site.test/base/a', 'http://site.test/base/own/b']);
});
