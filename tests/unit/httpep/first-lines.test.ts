import { expect, test } from 'vitest';
import { get, playBytes } from './support/play-bytes.ts';
import { useTestPair } from './support/start-pair.ts';

const pair = useTestPair();

test.each([
  ['a greeting of TLS', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['HTTP/0.9', 'GET http://ORIGIN/\r\n', 400],
  ['an answer', 'HTTP/1.1 200 OK\r\n', 400],
  ['another protocol', 'SSH-2.0-x\r\n', 400],
  ['a line that LF alone ends', 'GET http://ORIGIN/ HTTP/1.1\n', 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n', 505],
])('%s is refused as soon as it has come, though more may follow', async (_, ask, status) => {
  const { atClient, atOrigin } = await playBytes(pair.remote.port, { ask, until: /HTTPEP: .*\n$/ });
  expect(atClient).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(atOrigin).toBe('');
});

test.each([
  ['GET http', '://ORIGIN/ HTTP/1.1\r\n\r\n'],
  ['\r\n\r\n', get('http://ORIGIN/')],
  ['GET http://ORIGIN/ HTTP/1.1\r', '\n\r\n'],
  ['GET http://ORIGIN/ HTTP/1.1\r\nX', ': 1\r\n\r\n'],
])('what has come so far may be right: %j', async (start, thenAsk) => {
  const seen = await playBytes(pair.remote.port, {
    ask: get('http://ORIGIN/') + start,
    thenAsk,
    until: /(ok[^]*){2}$/,
  });
  expect(seen.atOrigin.match(/^GET \/ /gm)).toHaveLength(2);
});
