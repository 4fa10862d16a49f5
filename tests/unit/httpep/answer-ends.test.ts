import { describe, expect, test } from 'vitest';
import { answered, get, playBytes, type Script } from './support/play-bytes.ts';
import { useTestPair } from './support/start-pair.ts';

const pair = useTestPair();

const play = (script: Omit<Script, 'ask'> & Partial<Script>) =>
  playBytes(pair.remote.port, { ask: get('http://ORIGIN/'), ...script });
/** Two requests, one after the other. */
const two = { ask: get('http://ORIGIN/1'), thenAsk: get('http://ORIGIN/2'), thenWhen: /\r\n\r\n/ };

describe('205 has no body (RFC 9110, 15.3.6)', () => {
  test.each([
    ['no length', '', 1],
    ['no bytes', 'Content-Length: 0\r\n', 1],
    ['a length', 'Content-Length: 5\r\n', 2],
    ['chunks', 'Transfer-Encoding: chunked\r\n', 2],
  ])('with %s', async (_, field, connectionCount) => {
    const answer = `HTTP/1.1 205 Reset Content\r\n${field}\r\n`;
    const seen = await play({ ...two, answer, until: /( 205 [^]*){2}\r\n\r\n$/ });
    expect(seen.atClient.match(/^(content-length|transfer-encoding): .*$/gim)).toEqual(
      Array.from({ length: 2 }, () => 'Content-Length: 0'),
    );
    expect(seen.connectionCount).toBe(connectionCount);
  });

  test('one to HEAD has no length', async () => {
    const ask = get('http://ORIGIN/').replace('GET', 'HEAD');
    const { atClient } = await play({ ask, answer: 'HTTP/1.1 205 Reset Content\r\n\r\n', until: /\r\n\r\n$/ });
    expect(atClient).not.toMatch(/content-length|transfer-encoding/i);
  });
});

test.each([
  ['a length and another coding', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: identity\r\n'],
  [
    'HTTP/1.0 and a coding',
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\nTransfer-Encoding: x\r\n',
  ],
])('behind an answer with %s, which others end elsewhere, nothing is asked (RFC 9112, 6.1)', async (_, head) => {
  const seen = await play({ ...two, thenWhen: answered, answer: `${head}\r\nok`, until: /(\r\nok[^]*){2}$/ });
  expect(seen.connectionCount).toBe(2);
});

describe('chunks of HTTP/1.0, which has none', () => {
  const old = (body: string, fields = '') =>
    `HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n${fields}Transfer-Encoding: chunked\r\n\r\n${body}`;

  test.each([
    ['', '2 \r\nok\r\n0\r\n\r\n', ''],
    ['beside a length', '2\r\nok\r\n0\r\n\r\n', 'Content-Length: 12\r\n'],
  ])('are read where the body begins with one, and nothing is asked behind them %s', async (_, body, fields) => {
    const seen = await play({
      ...two,
      thenWhen: /\r\n0\r\n\r\n$/,
      answer: old(body, fields),
      until: /(\r\n2\r\nok\r\n0\r\n\r\n[^]*){2}$/,
    });
    expect(seen.atClient.match(/^(content-length|transfer-encoding): .*$/gim)).toEqual([
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: chunked',
    ]);
    expect(seen.connectionCount).toBe(2);
  });

  test.each([['hello'], ['2 and more'], ['2'], ['\r\nok'], [`2${' '.repeat(100)}`], ['']])(
    'are not where it begins otherwise: %j passes as it came',
    async (body) => {
      const ask = get('http://ORIGIN/').replace('/1.1', '/1.0');
      const { atClient } = await play({ ask, answer: old(body), closes: true, until: /never/ });
      expect(atClient.slice(atClient.indexOf('\r\n\r\n') + 4)).toBe(body);
    },
  );

  test('break the answer off where they break off', async () => {
    const { atClient } = await play({ answer: old('5\r\nhel'), closes: true, until: /never/ });
    expect(atClient).toMatch(/\r\n3\r\nhel\r\n$/);
  });
});

describe('informational answers', () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  const fine = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  test('all pass, however many there are', async () => {
    const { atClient } = await play({ answer: hint.repeat(1000) + fine, until: answered });
    expect(atClient.match(/^HTTP\/1\.1 103 /gm)).toHaveLength(1000);
  });

  test.each([
    ['ends', '', true, /HTTP\/1\.1 502 /],
    ['says that it waited too long', 'HTTP/1.1 408 Timeout\r\nContent-Length: 2\r\n\r\nno', false, /HTTP\/1\.1 408 /],
  ])('come once: behind one, a request is not sent again when its connection %s', async (_, last, closes, expected) => {
    const answers = [fine, hint + last];
    const seen = await play({
      ...{ ask: get('http://ORIGIN/1'), thenAsk: get('http://ORIGIN/2') },
      ...{ answer: () => answers.shift() ?? fine, closes: () => closes && answers.length === 0 },
      until: /ok[^]* 103 [^]* (502|408|200) [^]*\r\n\r\n.+\n?$/,
    });
    expect(seen.atOrigin.match(/^GET \/\d/gm)).toEqual(['GET /1', 'GET /2']);
    expect(seen.atClient.match(/ 103 /g)).toHaveLength(1);
    expect(seen.atClient).toMatch(expected);
  });
});
