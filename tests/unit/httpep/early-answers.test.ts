import { describe, expect, test } from 'vitest';
import { answered, fine, get, playBytes, type Script } from './support/play-bytes.ts';
import { useTestPair } from './support/start-pair.ts';

const pair = useTestPair();

const play = (script: Script) => playBytes(pair.remote.port, script);

/** The first part of a request, which is answered at once, and the rest, which is sent then. */
const [part, lateBody] = ['@'.repeat(100_000), '@'.repeat(900_000)];
const post = (fields = '', version = '1.1') =>
  `POST http://ORIGIN/1 HTTP/${version}\r\nContent-Length: 1000000\r\n${fields}\r\n${part}`;
/** All of it has arrived. */
const whole = { test: (atOrigin: string) => atOrigin.split('@').length === 1_000_001 };

describe('an answer may come before all of the request has', () => {
  test.each([
    ['a request', ''],
    ['a request for another protocol that is refused', 'Connection: Upgrade\r\nUpgrade: a\r\n'],
  ])('the rest of %s arrives behind it, and the next one is answered', async (_, fields) => {
    const thenAsk = lateBody + get('http://ORIGIN/2');
    const seen = await play({ ask: post(fields), thenAsk, until: /(ok[^]*){2}$/, untilOrigin: whole });
    expect(seen.atOrigin).toContain('GET /2 HTTP/1.1\r\n');
    expect(seen.atClient).not.toContain('Connection: close');
  });

  test('the rest has its chunks, and the fields behind them', async () => {
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const ask = `POST http://ORIGIN/1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${chunk('one')}`;
    const untilOrigin = /\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\nX: 1\r\n\r\n/;
    const seen = await play({ ask, thenAsk: `${chunk('two')}0\r\nX: 1\r\n\r\n`, until: answered, untilOrigin });
    expect(seen.connectionCount).toBe(1);
  });

  test.each([
    ['of HTTP/1.0', '', '1.0'],
    ['that says so', 'Connection: close\r\n', '1.1'],
  ])('a connection %s ends when the rest was sent on', async (_, fields, version) => {
    const seen = await play({ ask: post(fields, version), thenAsk: lateBody, until: /never/, untilOrigin: whole });
    expect(seen.atClient).toMatch(/\r\nConnection: close\r\n[^]*ok$/);
  });

  test('where the web server closes behind its answer, the connection ends, and the answer is whole', async () => {
    const answer = fine.replace('200 OK', '413 Content Too Large');
    const seen = await play({ ask: post(), thenAsk: lateBody, answer, closes: true, until: /never/ });
    expect(seen.atClient).toMatch(/^HTTP\/1\.1 413 [^]*\r\n\r\nok$/);
  });
});

test('a switch to another protocol waits until all of the request has come, which is HTTP still (RFC 9110, 7.8)', async () => {
  const answers = [
    'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n',
    'done',
  ];
  const ask = 'POST http://ORIGIN/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: a\r\nContent-Length: 6\r\n\r\none';
  const seen = await play({
    ...{ ask, thenAsk: 'twobytes\r\n\r\n', thenWhen: /103/, answer: () => answers.shift() ?? '' },
    until: /done$/,
  });
  expect(seen.atOrigin).toMatch(/\r\n\r\nonetwobytes\r\n\r\n$/);
});

describe('a client that waits for an answer may keep its body (RFC 9110, 10.1.1)', () => {
  const ask = 'PUT http://ORIGIN/ HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n';

  test('so its connection ends with an answer that comes instead, also when it does not send the body', async () => {
    const { atClient } = await play({ ask, until: /never/ });
    expect(atClient).toMatch(/\r\nConnection: close\r\n[^]*ok$/);
  });

  test('and what it sends behind that is no request', async () => {
    const seen = await play({ ask, thenAsk: get('http://ORIGIN/hidden'), until: /never/ });
    expect(seen.atOrigin).not.toContain('hidden');
  });

  test('but not if it has begun to send', async () => {
    const { atClient } = await play({ ask: `${ask}hel`, thenAsk: 'lo', until: answered });
    expect(atClient).not.toContain('Connection: close');
  });
});

test.each([
  ['does not come', 'Expect: 100-continue\r\nContent-Length: 5\r\n\r\n'],
  ['cannot be read', 'Transfer-Encoding: chunked\r\n\r\nx\r\n'],
])('a request that ends its way here is answered, also if its body %s (RFC 9110, 7.6.2)', async (_, rest) => {
  const ask = `OPTIONS http://ORIGIN/ HTTP/1.1\r\nMax-Forwards: 0\r\n${rest}`;
  const { atClient } = await play({ ask, until: /\r\n\r\n/ });
  expect(atClient).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/);
});
