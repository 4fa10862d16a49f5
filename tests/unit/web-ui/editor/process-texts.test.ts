import { expect, test } from 'vitest';
import {
  nameNext,
  readEnvironment,
  writeEnvironment,
  readReady,
  writeReady,
} from '#web-ui/src/pages/evaluation/sections/scenarios/process-fields.tsx';

test.each([
  ['3128', { port: 3128 }],
  ['10.0.0.1:3128', { port: 3128, address: '10.0.0.1' }],
  ['[::1]:3128', { port: 3128, address: '::1' }],
  ['https://a.test/x', { http: 'https://a.test/x' }],
  ['Listening on 3128', { line: 'Listening on 3128' }],
])('"%s" is when a process is ready, and is written as it was typed', (text, ready) => {
  expect(readReady(` ${text} `)).toEqual(ready);
  expect(writeReady(ready)).toBe(text);
});

test('environment variables are lines', () => {
  const variables = { PATH: '/bin', WORDS: 'a = b', EMPTY: '' };
  expect(writeEnvironment(variables)).toBe('PATH=/bin\nWORDS=a = b\nEMPTY=');
  expect(readEnvironment('PATH=/bin\n\nWORDS=a = b\nEMPTY=')).toEqual(variables);
});

test('a line that is no variable is kept as typed, for validation to reject', () => {
  expect(readEnvironment('PATH=/bin\nnothing')).toBe('PATH=/bin\nnothing');
  expect(writeEnvironment('PATH=/bin\nnothing')).toBe('PATH=/bin\nnothing');
});

test('one more process has a name that no other has, also after one was removed', () => {
  expect(nameNext([])).toEqual({ name: 'process 1' });
  expect(nameNext([{ name: 'process 2' }])).toEqual({ name: 'process 1' });
  expect(nameNext([{ name: 'process 1' }, { name: 'process 3' }])).toEqual({ name: 'process 2' });
  expect(nameNext([{ name: 'process 1' }, { name: 'process 2' }])).toEqual({ name: 'process 3' });
});
