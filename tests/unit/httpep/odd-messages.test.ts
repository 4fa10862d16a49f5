import { describe, expect, test } from 'vitest';
import { answered, fine, get, playBytes, type Script } from './support/play-bytes.ts';
import { useTestPair } from './support/start-pair.ts';

const pair = useTestPair();

const play = (script: Script) => playBytes(pair.remote.port, script);

describe('the target of a request reaches the web server as it came (RFC 9110, 7.7)', () => {
  test.each([
    ['/a/%2e%2E/b', '/a/%2e%2E/b'],
    ['/a\\b?c\\d', '/a\\b?c\\d'],
    ['//a///b;v=1/%2F?%3f', '//a///b;v=1/%2F?%3f'],
    ['/caf\xe9?q=\xff', '/caf\xe9?q=\xff'],
    ['/./../x', '/./../x'],
    ['?a=1', '/?a=1'],
    ['', '/'],
    ['/a#b', '/a#b'],
  ])('%j', async (path, expected) => {
    const { atOrigin } = await play({ ask: get(`http://ORIGIN${path}`), until: answered });
    expect(atOrigin).toMatch(/^GET /);
    expect(atOrigin.slice(4, atOrigin.indexOf(' HTTP/1.1\r\n'))).toBe(expected);
  });

  test('OPTIONS of a URL without a path is for the whole server (RFC 9112, 3.2.4)', async () => {
    const { atOrigin } = await play({ ask: get('http://ORIGIN').replace('GET', 'OPTIONS'), until: answered });
    expect(atOrigin).toMatch(/^OPTIONS \* HTTP\/1\.1\r\n/);
  });

  test('a name and a password in it are left out', async () => {
    const { atOrigin } = await play({ ask: get('http://me:pw@ORIGIN/x'), until: answered });
    expect(atOrigin).toMatch(/^GET \/x HTTP/);
    expect(atOrigin).not.toContain('pw');
  });
});

test.each(['FOO', 'patch', 'M-SEARCH', 'get'])('the method %s passes', async (method) => {
  const { atOrigin } = await play({ ask: get('http://ORIGIN/').replace('GET', method), until: answered });
  expect(atOrigin.startsWith(`${method} / HTTP/1.1\r\n`)).toBe(true);
});

describe('a request for another protocol is a request like others', () => {
  test.each([
    ['a length', 'Content-Length: 5\r\n\r\nhello', 'hello'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n', '0\r\n\r\n'],
  ])('its body, with %s, arrives (reactor/reactor-netty#1071)', async (_, rest, answerWhen) => {
    const ask = `POST http://ORIGIN/x HTTP/1.1\r\nHost: ORIGIN\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n${rest}`;
    const { atOrigin, atClient } = await play({ ask, answerWhen, until: answered });
    expect(atOrigin).toContain('hello');
    expect(atOrigin).toMatch(/\r\nUpgrade: h2c\r\n/);
    expect(atClient).toMatch(/^HTTP\/1\.1 200 /);
  });

  const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade, X-Hop\r\n';
  const wish = 'Connection: Upgrade\r\nUpgrade: a/1\r\nUpgrade: WebSocket\r\n';

  test.each([
    ['none', '', 'Upgrade: a\r\n'],
    ['others', wish, 'Upgrade: b\r\n'],
    ['the one chosen, but not a second one', wish, 'Upgrade: a/1, b\r\n'],
    ['some, but the answer names none', wish, ''],
  ])('a switch is no answer where the request names %s (RFC 9110, 7.8)', async (_, fields, chosen) => {
    const answer = `${switching}${chosen}\r\nHTTP/1.1 200 OK\r\n\r\n`;
    const { atClient } = await play({ ask: get('http://ORIGIN/', fields), answer, until: /\r\n\r\n[^]*\n/ });
    expect(atClient).toMatch(/^HTTP\/1\.1 502 [^]*HTTPEP: .*protocol that nobody asked for/);
  });

  test('a switch to one of those named passes as other answers do', async () => {
    const fields =
      'Upgrade: websocket\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nContent-Length: 5\r\nSec-WebSocket-Accept: x\r\n';
    const seen = await play({
      ...{ ask: get('http://ORIGIN/', wish), answer: `${switching}${fields}\r\nbytes` },
      until: /\r\n\r\nbytes$/,
    });
    expect(seen.atOrigin).toContain('\r\nUpgrade: a/1, WebSocket\r\n');
    expect(seen.atClient).toMatch(
      /^HTTP\/1\.1 101 Switching Protocols\r\nSec-WebSocket-Accept: x\r\nVia: 1\.1 httpep-\w+\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n/,
    );
  });

  test.each([
    ['426, which has to name a protocol, passes with it (RFC 9110, 15.5.22)', 426, true],
    ['200, which offers one to the next hop, passes without', 200, false],
  ])('%s', async (_, status, isKept) => {
    const answer = `HTTP/1.1 ${status} x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\nok`;
    const { atClient } = await play({ ask: get('http://ORIGIN/'), answer, until: answered });
    expect(atClient.includes('\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n')).toBe(isKept);
  });
});

describe('what one reader may take for two messages is refused, and the web server sees nothing', () => {
  const post = (fields: string) => `POST http://ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\r\n${fields}`;
  test.each([
    [
      'a length and chunks',
      400,
      post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
    ],
    ['two lengths', 400, post('Content-Length: 3\r\nContent-Length: 5\r\n\r\nhello')],
    ['a signed length', 400, post('Content-Length: +5\r\n\r\nhello')],
    ['a hexadecimal length', 400, post('Content-Length: 0x5\r\n\r\nhello')],
    ['space before a colon', 400, post('Transfer-Encoding : chunked\r\nContent-Length: 5\r\n\r\nhello')],
    ['a field over two lines', 400, post('X: a\r\n b\r\n\r\n')],
    ['lines that end with LF alone', 400, post('X: a\n\r\n')],
    ['a head that ends with LF alone', 400, post('X: a\r\n\n')],
    ['NUL in a field', 400, post('X: a\0b\r\n\r\n')],
    ['CR in a field', 400, post('X: a\rY: b\r\n\r\n')],
    ['two spaces in the first line', 400, get('http://ORIGIN/').replace('GET ', 'GET  ')],
    ['chunks of HTTP/1.0', 400, post('Transfer-Encoding: chunked\r\n\r\n').replace('/1.1', '/1.0')],
    ['a coding that is not undone', 501, post('Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n')],
    ['another version', 505, get('http://ORIGIN/').replace('/1.1', '/2.0')],
    ['a head of 100 kB', 431, get('http://ORIGIN/', `Cookie: ${'x'.repeat(100_000)}\r\n`)],
    ['a URL of 100 kB', 414, get(`http://ORIGIN/${'x'.repeat(100_000)}`)],
  ])('%s: %d', async (_, status, ask) => {
    const { atOrigin, atClient } = await play({ ask, until: /HTTPEP: .*\n$/ });
    expect(atClient).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\nDate: .* GMT\\r\\nProxy-Status: httpep; error=`),
    );
    expect(atOrigin).toBe('');
  });

  test('a chunk that is longer than it says ends the request', async () => {
    const ask = post(
      'Transfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\nGET http://ORIGIN/hidden HTTP/1.1\r\n\r\n',
    );
    const { atOrigin, atClient } = await play({ ask, answerWhen: 'never', until: /HTTPEP: .*\n$/ });
    expect(atClient).toMatch(/^HTTP\/1\.1 400 /);
    expect(atOrigin).not.toContain('hidden');
  });

  test.each([
    ['LF alone', '0\r\n\n'],
    ['fields whose lines end with LF alone', '0\r\nX: a\n\n'],
    ['a line that is no field', '0\r\nX : a\r\n\r\n'],
  ])('a body with %s behind it hides no other request', async (_, end) => {
    const ask = post(`Transfer-Encoding: chunked\r\n\r\n${end}${get('http://ORIGIN/hidden')}`);
    const { atOrigin, atClient } = await play({ ask, answerWhen: 'never', until: /HTTPEP: .*\n$/ });
    expect(atClient).toMatch(/^HTTP\/1\.1 400 /);
    expect(atOrigin).not.toContain('hidden');
  });

  test('a body behind CONNECT is of the tunnel', async () => {
    const ask = `CONNECT ORIGIN HTTP/1.1\r\nContent-Length: 3\r\n\r\nGET /in HTTP/1.1\r\n\r\n`;
    expect((await play({ ask, until: answered })).atOrigin).toMatch(/^GET \/in /);
  });
});

describe('answers that browsers read are read', () => {
  const bodyOf = (text: string) => /\r\n\r\n(.*)$/s.exec(text)![1]!;
  test.each([
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 50\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    ],
    ['a field with a space in its name', 'HTTP/1.1 200 OK\r\nX Powered By: me\r\nContent-Length: 5\r\n\r\nhello'],
    ['a line that is no field', 'HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 5\r\n\r\nhello'],
    ['lines that end with LF', 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello'],
    ['no reason', 'HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello'],
    ['an empty line before it', '\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
    ['a length that is stated twice alike', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello'],
    ['a length of no number', 'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nhello'],
    ['chunks of HTTP/1.0 that are none', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello'],
    [
      'chunks whose lengths begin with many zeros',
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'0'.repeat(20)}5\r\nhello\r\n${'0'.repeat(20)}\r\n\r\n`,
    ],
    [
      'a chunk with spaces behind its length',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5  \r\nhello\r\n0\r\n\r\n',
    ],
    ['a field over two lines', 'HTTP/1.1 200 OK\r\nX: a\r\n  b\r\nContent-Length: 5\r\n\r\nhello'],
  ])('%s', async (_, answer) => {
    const { atClient } = await play({
      ask: get('http://ORIGIN/'),
      answer,
      closes: true,
      until: /hello(\r\n0\r\n\r\n)?$/,
    });
    expect(atClient).toMatch(/^HTTP\/1\.1 200 /);
    expect(atClient.match(/^content-length: /gim)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(bodyOf(atClient)).toMatch(/^(5\r\n)?hello/);
  });

  test('lines that are no field are left out, and counted', async () => {
    const count = () => pair.ground.counters.readRows().reduce((sum, { sums }) => sum + (sums.droppedFields ?? 0), 0);
    const before = count();
    const answer = 'HTTP/1.1 200 OK\r\nX Powered By: me\r\n folded\r\nnonsense\r\nContent-Length: 2\r\n\r\nok';
    const { atClient } = await play({ ask: get('http://ORIGIN/'), answer, until: answered });
    expect(atClient).not.toMatch(/Powered|folded|nonsense/);
    expect(count()).toBe(before + 2);
  });

  test.each([
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!'],
    ['no HTTP', 'SSH-2.0-x\r\n\r\n'],
    ['no head', ''],
  ])('%s is a 502 that says so', async (_, answer) => {
    const { atClient } = await play({ ask: get('http://ORIGIN/'), answer, closes: true, until: /HTTPEP: .*\n$/ });
    expect(atClient).toMatch(/^HTTP\/1\.1 502 [\s\S]*\r\nProxy-Status: httpep; error=/);
  });

  const [first, second] = [get('http://ORIGIN/1'), get('http://ORIGIN/2')];
  test.each([
    ['at once', { ask: first + second }],
    ['one after the other', { ask: first, thenAsk: second }],
  ])('what a web server sends behind its answer answers nobody: requests %s', async (_, asks) => {
    const answer = `${fine}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`;
    const seen = await play({ ...asks, answer, until: /ok[\s\S]*(ok|poison)$/ });
    expect(seen.atClient).not.toContain('poison');
    expect(seen.connectionCount).toBe(2);
  });

  test.each([
    ['a length', 'Content-Length: 5'],
    ['chunks', 'Transfer-Encoding: chunked'],
  ])('204 with %s has none, and what may be its body answers nobody (RFC 9110, 8.6)', async (_, field) => {
    const answer = `HTTP/1.1 204 No Content\r\n${field}\r\n\r\n`;
    const ask = ['1', '2'].map((path) => `POST http://ORIGIN/${path} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`);
    const seen = await play({ ask: ask.join('') + get('http://ORIGIN/3'), answer, until: /( 204 [^]*){3}\r\n\r\n$/ });
    expect(seen.atClient).not.toMatch(/content-length|transfer-encoding/i);
    expect(seen.connectionCount).toBe(3);
  });

  test('a length that an answer to HEAD states twice is stated once', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5, 5\r\n\r\n';
    const ask = get('http://ORIGIN/').replace('GET', 'HEAD');
    const { atClient } = await play({ ask, answer, until: /\r\n\r\n$/ });
    expect(atClient.match(/^content-length: .*$/gim)).toEqual(['Content-Length: 5']);
  });

  test('informational answers pass, but not to HTTP/1.0', async () => {
    const answer = `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${fine}`;
    const { atClient } = await play({ ask: get('http://ORIGIN/'), answer, until: answered });
    expect(atClient.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 102', 'HTTP/1.1 103', 'HTTP/1.1 200']);
    expect(atClient.match(/^Via: 1\.1 httpep-/gm)).toHaveLength(3);
    const old = await play({ ask: get('http://ORIGIN/').replace('/1.1', '/1.0'), answer, until: answered });
    expect(old.atClient).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n/);
  });
});

test('a length that a request states twice alike is stated once', async () => {
  const ask = 'POST http://ORIGIN/ HTTP/1.1\r\nContent-Length: 5, 5\r\nContent-Length: 5\r\n\r\nhello';
  const { atOrigin } = await play({ ask, answerWhen: 'hello', until: answered });
  expect(atOrigin.match(/^content-length: .*$/gim)).toEqual(['Content-Length: 5']);
});

test('chunks whose lengths begin with many zeros are read (RFC 9112, 7.1)', async () => {
  const zeros = '0'.repeat(20);
  const ask = `POST http://ORIGIN/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${zeros}5\r\nhello\r\n${zeros}\r\n\r\n`;
  const { atOrigin } = await play({ ask, answerWhen: '0\r\n\r\n', until: answered });
  expect(atOrigin).toMatch(/\r\n\r\n5\r\nhello\r\n0\r\n\r\n$/);
});

test('trailers pass, and a web server is asked for them where the client takes them (RFC 9110, 10.1.4)', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n';
  const ask = get('http://ORIGIN/', 'Connection: TE\r\nTE: gzip, Trailers\r\n');
  const { atOrigin, atClient } = await play({ ask, answer, until: /\r\n0\r\n[^]*\r\n\r\n$/ });
  expect(atOrigin).toMatch(/\r\nConnection: keep-alive, TE\r\nTE: trailers\r\n/);
  expect(atClient).toMatch(/\r\n0\r\nX-Sum: 1\r\n\r\n$/);
});

test('Via has the version of the HTTP that came, both ways', async () => {
  const answer = 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const old = get('http://ORIGIN/').replace('/1.1', '/1.0');
  const { atOrigin, atClient } = await play({ ask: old, answer, until: answered });
  expect(atOrigin).toMatch(/\r\nVia: 1\.0 httpep-/);
  expect(atClient).toMatch(/\r\nVia: 1\.0 httpep-/);
});

describe('Max-Forwards (RFC 9110, 7.6.2)', () => {
  test.each(['TRACE', 'OPTIONS'])('counts the way of %s, and ends it at 0', async (method) => {
    const askWith = (value: string, fields = '') =>
      get('http://ORIGIN/', `Max-Forwards: ${value}\r\n${fields}`).replace('GET', method);
    const { atOrigin } = await play({ ask: askWith('5'), until: answered });
    expect(atOrigin).toMatch(/\r\nMax-Forwards: 4\r\n/);
    const last = await play({ ask: askWith('0', 'Cookie: secret\r\n'), until: /\r\n\r\n/ });
    expect(last.atOrigin).toBe('');
    expect(last.atClient).toMatch(/^HTTP\/1\.1 200 [^]*\r\nDate: .* GMT\r\n/);
    expect(last.atClient).not.toContain('secret');
    expect(last.atClient.includes(`${method} http://`)).toBe(method === 'TRACE');
  });

  test('0 ends the way at this end where that is what is asked', async () => {
    const { atClient } = await play({ ask: 'OPTIONS * HTTP/1.1\r\nMax-Forwards: 0\r\n\r\n', until: /\r\n\r\n/ });
    expect(atClient).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 0\r\n/);
  });

  test('OPTIONS of no host is of this end without it, too (RFC 9110, 9.3.7)', async () => {
    const { atClient } = await play({ ask: 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', until: /\r\n\r\n/ });
    expect(atClient).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 0\r\n/);
  });

  test('is nothing of other methods', async () => {
    const { atOrigin } = await play({ ask: get('http://ORIGIN/', 'Max-Forwards: 0\r\n'), until: answered });
    expect(atOrigin).toMatch(/\r\nMax-Forwards: 0\r\n/);
  });
});
