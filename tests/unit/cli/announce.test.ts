import { expect, test } from 'vitest';
import { announce } from '#cli/up/run-up.ts';

const url = 'http://127.0.0.1:8420';
const testPageUrl = 'http://127.0.0.1:8421/images/10';

test('the link to open comes before the test pages', () => {
  const signInUrl = `${url}/sign-in#ticket=abc`;
  expect(announce({ url, signInUrl, isAdminLink: false, testPageUrl })).toBe(
    `HTTP-AE is at ${url}\nTo sign in for the first time, open this link; it works once, within a day:\n\n  ${signInUrl}\n\nTest pages: ${testPageUrl}\n`,
  );
});

test('a later start shows the address alone, and test pages only where there are any', () => {
  const later = { url, signInUrl: null, isAdminLink: false };
  expect(announce({ ...later, testPageUrl })).toBe(`HTTP-AE is at ${url}\nTest pages: ${testPageUrl}\n`);
  expect(announce({ ...later, testPageUrl: null })).toBe(`HTTP-AE is at ${url}\n`);
});
