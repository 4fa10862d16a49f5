import { expect, test } from 'vitest';
import { readPublicUrl } from '#cli/commands/read-public-url.ts';

test('the public address is a site, with or without a slash at its end', () => {
  expect(readPublicUrl('https://http-ae.example/')).toBe('https://http-ae.example');
  expect(readPublicUrl('http://192.0.2.7:8420')).toBe('http://192.0.2.7:8420');
});

test.for([
  'lab',
  'ftp://lab.example',
  'https://lab.example/http-ae',
  'https://ann:secret@lab.example',
  'https://lab.example/?a=1',
])('%s is refused with an example', (text) => {
  expect(() => readPublicUrl(text)).toThrow('such as https://http-ae.example');
});
