import { expect, test } from 'vitest';
import { BrowserCookies } from '#core/page-objects/cookie-jar.ts';

test.each(['test', 'local', 'example', 'localhost', 'intranet', 'a.test', '[::1]', '10.0.0.1'])(
  'the host %s has its cookies, and no other host has them',
  (host) => {
    const cookies = new BrowserCookies();
    expect(cookies.keep('a=1', new URL(`http://${host}/page`))).toBe(true);
    expect(cookies.keep('b=2; Path=/below', new URL(`http://${host}/`))).toBe(true);
    expect(cookies.find(new URL(`http://${host}/x`))).toBe('a=1');
    expect(cookies.find(new URL(`http://${host}/below/x`))).toBe('b=2; a=1');
    expect(cookies.find(new URL('http://other.test/'))).toBe('');
  },
);

test('a cookie without a name is kept, and one for all hosts of a public suffix is not', () => {
  const cookies = new BrowserCookies();
  expect(cookies.keep('value', new URL('https://shop.example.com/'))).toBe(true);
  expect(cookies.keep('a=1; Domain=com', new URL('https://shop.example.com/'))).toBe(false);
  expect(cookies.find(new URL('https://shop.example.com/'))).toBe('value');
});
