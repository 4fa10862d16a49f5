import { describe, expect, test } from 'vitest';
import { answered, fine, get, playBytes, type Script } from './support/play-bytes.ts';
import { useTestPair } from './support/start-pair.ts';

const pair = useTestPair();

const play = (script: Omit<Script, 'ask' | 'until'> & Partial<Script>) =>
  playBytes(pair.remote.port, { ask: get('http://ORIGIN/'), until: answered, ...script });
const refused = /HTTPEP: .*\n$/;

describe('first lines that Chrome or Firefox read are read', () => {
  const rest = fine.slice(fine.indexOf('\r\n'));
  test.each([
    ['no space before the reason', 'HTTP/1.1 200OK', '200 OK'],
    ['a dash before the reason', 'HTTP/1.1 404-none', '404 -none'],
    ['no status', 'HTTP/1.1', '200 OK'],
    ['a reason alone', 'HTTP/1.1 OK', '200 '],
    ['statuses that have no meaning', 'HTTP/1.1 20 OK', '20 OK'],
    ['statuses of four digits', 'HTTP/1.1 1000 OK', '1000 OK'],
    ['white space before it', ' HTTP/1.1 201 Made', '201 Made'],
    ['up to four other bytes before it', 'ab\r\nHTTP/1.1 201 Made', '201 Made'],
    ['tabs alone between its parts', 'HTTP/1.1\t201\tMade', '200 OK'],
    ['a later version', 'HTTP/2 999', '999 '],
    ['no version', 'HTTP 200 OK', '200 OK'],
    ['what radio stations say', 'ICY 200 OK', '200 OK'],
  ])('%s', async (_, line, expected) => {
    const { atClient } = await play({ answer: `${line}${rest}` });
    expect(atClient.startsWith(`HTTP/1.1 ${expected}\r\n`)).toBe(true);
  });

  test.each(['abcdef\r\nHTTP/1.1 200 OK', 'a\r\nb\r\nHTTP/1.1 200 OK', 'HTP/1.1 200 OK'])(
    '%j is none',
    async (line) => {
      const { atClient } = await play({ answer: `${line}${rest}`, until: refused });
      expect(atClient).toMatch(/^HTTP\/1\.1 502 [^]*\r\nDate: .* GMT\r\n[^]*does not speak HTTP/);
    },
  );
});

test.each([['X-A: 1\r\nContent-Le'], ['Content-Length: 5'], ['X-A: 1\r\n'], ['']])(
  'a head that is cut off does not become a whole answer: %j',
  async (fields) => {
    const answer = `HTTP/1.1 200 OK\r\n${fields}`;
    const { atClient } = await play({ answer, closes: true, until: refused });
    expect(atClient).toMatch(/^HTTP\/1\.1 502 [^]*the connection ended in the head/);
  },
);

describe('heads of answers may be as long as Chrome reads them', () => {
  const withFields = (count: number) => fine.replace('OK\r\n', `OK\r\n${`X: ${'x'.repeat(996)}\r\n`.repeat(count)}`);

  test('250 kB pass', async () => {
    const { atClient } = await play({ answer: withFields(250) });
    expect(atClient.match(/^X: x{996}$/gm)).toHaveLength(250);
  });

  test('270 kB do not', async () => {
    const { atClient } = await play({ answer: withFields(270), until: refused });
    expect(atClient).toMatch(/^HTTP\/1\.1 502 [^]*longer than 262144 bytes/);
  });
});

describe('a coding of a body on its way passes with the body, as it came (RFC 9112, 6.1)', () => {
  const coded = (coding: string, body: string) => `HTTP/1.1 200 OK\r\nTransfer-Encoding: ${coding}\r\n\r\n${body}`;
  test.each([
    [
      'with chunks',
      'gzip, chunked',
      '2\r\nok\r\n0\r\n\r\n',
      /\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n/,
    ],
    [
      'with chunks in another place',
      'chunked, gzip',
      '2\r\nok\r\n0\r\n\r\n',
      /\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n/,
    ],
    ['until the connection ends', 'x', 'ok', /\r\nTransfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n/],
    ['that does nothing', 'identity', 'ok', /GMT\r\n(Via: .*\r\n)Transfer-Encoding: chunked\r\n/],
    [
      'in a list with empty places',
      ', chunked',
      '2\r\nok\r\n0\r\n\r\n',
      /\r\n(Via: .*\r\n)Transfer-Encoding: chunked\r\n/,
    ],
  ])('%s', async (_, coding, body, expected) => {
    const { atClient } = await play({ answer: coded(coding, body), closes: true, until: /\r\n0\r\n\r\n$/ });
    expect(atClient).toMatch(expected);
    expect(atClient).toMatch(/\r\n\r\n2\r\nok\r\n0\r\n\r\n$/);
  });

  test('a length beside it does not: it would be another end', async () => {
    const answer = coded('gzip\r\nContent-Length: 2', 'ok and more');
    const { atClient } = await play({ answer, until: /\r\n0\r\n\r\n$/ });
    expect(atClient).toMatch(
      /GMT\r\n(Via: .*\r\n)Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n/,
    );
  });

  test('but not to HTTP/1.0, which has none', async () => {
    const ask = get('http://ORIGIN/').replace('/1.1', '/1.0');
    const { atClient } = await play({ ask, answer: coded('gzip, chunked', '0\r\n\r\n'), until: refused });
    expect(atClient).toMatch(/^HTTP\/1\.1 502 [^]*its Transfer-Encoding/);
  });
});

describe('chunks', () => {
  const chunked = (body: string) => `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;

  test('may have extensions of 10 kB', async () => {
    const answer = chunked(`2;${'x'.repeat(10_000)}\r\nok\r\n0\r\n\r\n`);
    expect((await play({ answer, until: /\r\n0\r\n\r\n$/ })).atClient).toContain('\r\n2\r\nok\r\n');
  });

  test.each([['0\r\n'], ['0'], ['0\r\nX: 1\r\n'], ['0\r\nX']])(
    'that end with %j are cut off, as in browsers',
    async (end) => {
      const { atClient } = await play({ answer: chunked(`2\r\nok\r\n${end}`), closes: true, until: /never/ });
      expect(atClient).toMatch(/\r\n\r\n2\r\nok\r\n$/);
    },
  );

  test('pass with the fields behind them, but not with those of the way and the end (RFC 9110, 6.5.1)', async () => {
    const end = '0\r\nContent-Length: 9\r\nhost: x\r\nTransfer-Encoding: x\r\nTrailer: x\r\nX: 1\r\n\r\n';
    const ask = `POST http://ORIGIN/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${end}`;
    const seen = await play({ ask, answerWhen: 'X: 1\r\n\r\n', answer: chunked(end), until: /X: 1\r\n\r\n$/ });
    for (const text of [seen.atOrigin, seen.atClient]) expect(text).toMatch(/\r\n\r\n0\r\nX: 1\r\n\r\n$/);
  });
});

test.each([
  ['x', '2'],
  ['2', 'x'],
  ['2', ''],
])('two lengths, %j and %j, are a 502, as browsers refuse them', async (one, other) => {
  const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${one}\r\nContent-Length: ${other}\r\n\r\nok`;
  expect((await play({ answer, closes: true, until: refused })).atClient).toMatch(/^HTTP\/1\.1 502 /);
});
