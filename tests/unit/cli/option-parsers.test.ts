import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import {
  readAgentName,
  readControllerUrl,
  readLabel,
  readMinutes,
  readPort,
  readPortOrAny,
  readPublicUrl,
  readSeed,
  readSize,
  readUserCount,
} from '#cli/commands/option-parsers.ts';

describe('public address', () => {
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
});

describe('size', () => {
  test.for([
    ['0', 0],
    ['1500', 1500],
    ['5GB', 5e9],
    ['500 MB', 5e8],
    ['1.5GiB', 1.5 * 2 ** 30],
    ['2tb', 2e12],
  ] as const)('%s is %i bytes', ([text, bytes]) => {
    expect(readSize(text)).toBe(bytes);
  });

  test.for(['', '-1', '5G', 'GB', '1e9', '99999999TB', '5 GB and more'])('"%s" is no size', (text) => {
    expect(() => readSize(text)).toThrow(InvalidArgumentError);
  });
});

test('the URL of a Controller loses the slash at its end', () => {
  expect(readControllerUrl('http://127.0.0.1:8420/')).toBe('http://127.0.0.1:8420');
  expect(readControllerUrl('https://lab.example/http-ae//')).toBe('https://lab.example/http-ae');
});

test.for([
  [readControllerUrl, '127.0.0.1:8420', 'complete URL of a Controller'],
  [readPort, '0', 'from 1 to 65535'],
  [readPort, '65536', 'from 1 to 65535'],
  [readPortOrAny, '-1', '0 for any free one'],
  [readAgentName, '', 'It '],
  [readUserCount, '1000000', 'whole number from 0 to'],
  [readMinutes, '0', 'above 0'],
  [readMinutes, '10081', 'at most 10080'],
  [readSeed, '2147483648', 'from 0 to 2147483647'],
] as const)('%o refuses %s and says what it accepts', ([read, text, message]) => {
  expect(() => read(text)).toThrow(message);
});

test.for([
  [readPort, '8420', 8420],
  [readPortOrAny, '0', 0],
  [readUserCount, '4', 4],
  [readMinutes, '0.5', 0.5],
  [readSeed, '2147483647', 2_147_483_647],
] as const)('%o reads %s', ([read, text, value]) => {
  expect(read(text)).toBe(value);
});

test('labels are collected, and a wrong or repeated one is refused', () => {
  expect(readLabel('commit=a=b', readLabel('build=1234', {}))).toEqual({ build: '1234', commit: 'a=b' });
  expect(() => readLabel('build', {})).toThrow('It must be a key and a value, such as build=1234.');
  expect(() => readLabel('my build=1', {})).toThrow('The key must be a word of letters, digits and _.');
  expect(() => readLabel('build=', {})).toThrow('It must not be empty.');
  expect(() => readLabel('build=2', { build: '1' })).toThrow('There is another label "build".');
});
