import { expect, test } from 'vitest';
import { withoutHop } from '#httpep/exchange/heads.ts';

test('headers of one hop and those that Connection names are left out; the rest keeps its order, case and repetitions', () => {
  const headers = [
    ...['X-A', '1', 'Connection', 'close, X-Own', 'x-own', 'gone', 'Set-Cookie', 'a', 'set-cookie', 'b'],
    ...[
      'Keep-Alive',
      'timeout=5',
      'Transfer-Encoding',
      'chunked',
      'TE',
      'trailers',
      'Proxy-Authentication-Info',
      'x',
      'Upgrade',
      'h2c',
      'Trailer',
      'X-Sum',
    ],
  ];
  expect(withoutHop(headers)).toEqual(['X-A', '1', 'Set-Cookie', 'a', 'set-cookie', 'b', 'Trailer', 'X-Sum']);
});
