import { expect, test } from 'vitest';
import { nameObjects } from '#web-ui/src/pages/visit/name-objects.ts';

const nameAll = (...urls: string[]) => urls.map((url) => Object.values(nameObjects(urls).get(url)!).join(' at '));

test('a URL is named by the end of its path, and by its host', () => {
  expect(
    nameAll('http://a.test/', 'http://a.test/shop/', 'http://a.test/logo.png?v=2', 'http://b.test/logo.png?v=2'),
  ).toEqual(['/ at a.test', 'shop at a.test', 'logo.png?v=2 at a.test', 'logo.png?v=2 at b.test']);
  expect(nameAll('data:,x', 'no address')).toEqual([',x at ', 'no address at ']);
});

test('URLs that end alike are named by their paths, those of one path by their whole addresses', () => {
  expect(nameAll('http://a.test/en/news', 'http://a.test/de/news', 'http://a.test/else')).toEqual([
    '/en/news at a.test',
    '/de/news at a.test',
    'else at a.test',
  ]);
  expect(nameAll('http://a.test/news', 'https://a.test/news')).toEqual([
    'http://a.test/news at ',
    'https://a.test/news at ',
  ]);
  expect(nameAll('http://a.test/news', 'http://a.test/news')).toEqual(['news at a.test', 'news at a.test']);
});
