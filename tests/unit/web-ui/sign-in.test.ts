import { expect, test } from 'vitest';
import { localPath, readOneTimeLink } from '#web-ui/src/pages/sign-in/sign-in-page.tsx';
import { passwordLink } from '#web-ui/src/pages/settings/people/one-time-link.ts';

const origin = 'http://controller.test:8080';

test.for([
  ['/runs/7/comparison?x=images#top', '/runs/7/comparison?x=images#top'],
  [null, '/'],
  ['', '/'],
  ['runs', '/'],
  ['//elsewhere.test/', '/'],
  ['/\\elsewhere.test/', '/'],
  ['/\t/elsewhere.test/', '/'],
  ['https://elsewhere.test/', '/'],
  ['javascript:alert(1)', '/'],
] as const)('after the sign-in, %j leads to %j', ([next, path]) => expect(localPath(next, origin)).toBe(path));

test('a one-time link carries its ticket, and may name the page to open next', () => {
  expect(readOneTimeLink('#ticket=abc&next=/runs/7')).toEqual({ for: 'signing-in', ticket: 'abc', next: '/runs/7' });
  expect(readOneTimeLink('#ticket=abc')).toEqual({ for: 'signing-in', ticket: 'abc', next: null });
  expect(readOneTimeLink(new URL(passwordLink(origin, { ticket: 'abc', name: 'Zoë & co' })).hash)).toEqual({
    for: 'new-password',
    ticket: 'abc',
    name: 'Zoë & co',
  });
  expect(readOneTimeLink('#content')).toBeNull();
});
