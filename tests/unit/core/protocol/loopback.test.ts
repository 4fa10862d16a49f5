import { expect, test } from 'vitest';
import { isLoopback } from '#core/protocol/loopback.ts';

test('names and addresses of the machine itself are known, in URLs and as sockets report them', () => {
  const local = [
    '127.0.0.1',
    '127.1.2.3',
    '::ffff:127.0.0.1',
    'localhost',
    'a.LocalHost',
    'localhost.',
    '[::1]',
    '::1',
  ];
  expect(local.filter(isLoopback)).toEqual(local);
  const others = [
    'lab.test',
    '192.0.2.1',
    '[2001:db8::1]',
    'localhost.test',
    'notlocalhost',
    '127.0.0.1.test',
    '127.example.test',
  ];
  expect(others.filter(isLoopback)).toEqual([]);
});
