import { expect, test } from 'vitest';
import { isLoopback } from '#web-ui/src/components/local-address-note.tsx';

test('a link to the loopback of a machine works there only', () => {
  const local = [
    'http://127.0.0.1:18500',
    'http://127.1.2.3',
    'http://localhost:80',
    'http://a.localhost',
    'http://[::1]:1',
  ];
  expect(local.filter(isLoopback)).toEqual(local);
  expect(
    ['https://lab.test', 'http://192.0.2.1:8400', 'http://[2001:db8::1]', 'http://localhost.test'].filter(isLoopback),
  ).toEqual([]);
});
