import { expect, test } from 'vitest';
import { isRecording, parseUrlLines } from '#web-ui/src/pages/evaluation/sections/urls/parse-url-lines.ts';
import { readPrefs, writePrefs } from '#web-ui/src/pages/evaluation/sections/scenarios/browser-fields.tsx';
import { readNumber } from '#web-ui/src/pages/evaluation/fields/number-field.tsx';
import { readVariables, writeVariables } from '#web-ui/src/pages/evaluation/sections/variables/variables-text.ts';

test.for([
  [
    'a URL on each line, empty lines and comments between',
    'http://a/\r\n\n# not this\n  http://b/{1..3}  \n',
    [{ url: 'http://a/' }, { url: 'http://b/{1..3}' }],
  ],
  [
    'commas in a pattern or a query are part of the URL',
    'http://a/{x,y}\nhttp://a/?q=1,2',
    [{ url: 'http://a/{x,y}' }, { url: 'http://a/?q=1,2' }],
  ],
  ['a query that ends as a header does is none', 'http://a/?fields=id,url', [{ url: 'http://a/?fields=id,url' }]],
  [
    'a header names the columns, all others are variables',
    '\uFEFFLabel,URL,kB\n"Few, small",http://a/,12.5\n,http://b/,',
    [{ url: 'http://a/', label: 'Few, small', variables: { kB: 12.5 } }, { url: 'http://b/' }],
  ],
  ['semicolons and tabs separate as well', 'url;images\nhttp://a/;5', [{ url: 'http://a/', variables: { images: 5 } }]],
  ['a quote within quotes is doubled', 'url,label\nhttp://a/,"say ""a"""', [{ url: 'http://a/', label: 'say "a"' }]],
  [
    'a header of one column leaves URLs whole',
    'url\nhttp://a/?q=1,2\n"http://b/"',
    [{ url: 'http://a/?q=1,2' }, { url: 'http://b/' }],
  ],
  [
    'a row with more cells than columns is no entry as it stands, unless these are empty',
    'url,label\nhttp://a/?q=1,2,Two\nhttp://b/,B,,',
    [
      { url: 'http://a/?q=1', label: '2', 'cell 3 of 2': 'Two' },
      { url: 'http://b/', label: 'B' },
    ],
  ],
  ['nothing', '\n', []],
] as const)('a list of URLs: %s', ([, text, entries]) => {
  expect(parseUrlLines(text)).toEqual(entries);
});

test('a recording is known by the JSON that it begins with, and a URL may begin with a variable', () => {
  for (const text of ['{"title": "a"}', ' {\n  "steps"', '{}', '{']) expect(isRecording(text)).toBe(true);
  for (const text of ['{origin}/images/{5,10}', '{ {a,b}', 'http://a/{"', '']) expect(isRecording(text)).toBe(false);
});

test('variables are read as they are written, and what is none stays a text', () => {
  const variables = { images: '{1}', kB: 2.5 };
  expect(readVariables(writeVariables(variables))).toEqual(variables);
  expect([readVariables('images'), readVariables('')]).toEqual(['images', {}]);
});

test('preferences are read as they are written, texts that look otherwise too', () => {
  const prefs = { 'a.b': false, 'a.c': 12, 'a.d': 'plain', 'a.e': 'true', 'a.f': '', 'a.g': '"quoted"', 'a.h': ' x\n' };
  expect(readPrefs(writePrefs(prefs))).toEqual(prefs);
  expect(readPrefs('no preference')).toBe('no preference');
});

test.for([
  ['2,5', 1, 2.5],
  [' 0,125 ', 1, 0.125],
  ['1000,5', 1, 1000.5],
  ['2,5', 100, 0.025],
  // A thousand and a half, or fifteen hundred: validation asks.
  ['1,500', 1, '1,500'],
  ['12,000', 1, '12,000'],
  ['1,000,000', 1, '1,000,000'],
  ['fast', 1, 'fast'],
] as const)('the number "%s", shown times %d, is %j', ([text, scale, number]) => {
  expect(readNumber(text, scale)).toBe(number);
});
