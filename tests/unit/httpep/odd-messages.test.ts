import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ground } from '#httpep/ground/start-ground.ts';
import type { Remote } from '#httpep/remote/start-remote.ts';
import { startTestGround, startTestRemote } from './support/start-pair.ts';

let ground: Ground;
let remote: Remote;
beforeAll(async () => {
  ground = await startTestGround();
  remote = await startTestRemote(ground.port);
});
afterAll(async () => {
  await remote[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
});

interface Script {
  /** `ORIGIN` becomes HOST:PORT of the web server. */
  ask: string;
  /** What the web server sends when it has these bytes, and whether it then closes. */
  answer?: string;
  answerWhen?: string;
  closes?: boolean;
  /** What the client waits for. */
  until: Pick<RegExp, 'test'>;
}

interface Seen {
  atOrigin: string;
  atClient: string;
  /** Connections to the web server. */
  connectionCount: number;
  /** Whether the client's connection was reset. */
  isReset: boolean;
}

const fine = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** One request byte by byte, and the answer. */
async function play({ ask, answer = fine, answerWhen = '\r\n\r\n', closes = false, until }: Script): Promise<Seen> {
  const seen: Seen = { atOrigin: '', atClient: '', connectionCount: 0, isReset: false };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    seen.connectionCount += 1;
    sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined);
    socket.setEncoding('latin1').on('data', (data: string) => {
      text += data;
      seen.atOrigin += data;
      if (!text.includes(answerWhen)) return;
      text = '';
      socket.write(answer, 'latin1');
      if (closes) socket.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = connect(remote.port, '127.0.0.1').setEncoding('latin1');
  client.on('error', () => (seen.isReset = true));
  client.on('data', (data: string) => (seen.atClient += data));
  let isClosed = false;
  client.on('close', () => (isClosed = true));
  client.write(ask.replaceAll('ORIGIN', authority), 'latin1');
  await expect.poll(() => until.test(seen.atClient) || isClosed, { interval: 2 }).toBe(true);
  client.destroy();
  server.close();
  for (const socket of sockets) socket.destroy();
  return seen;
}

const get = (target: string, fields = '') => `GET ${target} HTTP/1.1\r\nHost: ORIGIN\r\n${fields}\r\n`;
const answered = /\r\n\r\nok$/;

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

  test('a protocol that nobody asked for is no answer', async () => {
    const answer =
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n';
    const { atClient } = await play({ ask: get('http://ORIGIN/'), answer, until: /^HTTP.*\r\n\r\n.*\n/s });
    expect(atClient).toMatch(/^HTTP\/1\.1 502 [\s\S]*HTTPEP: .*protocol that nobody asked for/);
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
  ])('%s: %d', async (_, status, ask) => {
    const { atOrigin, atClient } = await play({ ask, until: /HTTPEP: .*\n$/ });
    expect(atClient).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\nProxy-Status: httpep; error=`));
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
    ['chunks of HTTP/1.0, which has none', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello'],
    ['chunks without the last line', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5  \r\nhello\r\n0\r\n'],
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
    const count = () => ground.counters.readRows().reduce((sum, { sums }) => sum + (sums.droppedFields ?? 0), 0);
    const before = count();
    const answer = 'HTTP/1.1 200 OK\r\nX Powered By: me\r\n folded\r\nnonsense\r\nContent-Length: 2\r\n\r\nok';
    const { atClient } = await play({ ask: get('http://ORIGIN/'), answer, until: answered });
    expect(atClient).not.toMatch(/Powered|folded|nonsense/);
    expect(count()).toBe(before + 2);
  });

  test.each([
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!'],
    ['a coding that nobody asked for', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['no HTTP', 'SSH-2.0-x\r\n\r\n'],
    ['no head', ''],
  ])('%s is a 502 that says so', async (_, answer) => {
    const { atClient } = await play({ ask: get('http://ORIGIN/'), answer, closes: true, until: /HTTPEP: .*\n$/ });
    expect(atClient).toMatch(/^HTTP\/1\.1 502 [\s\S]*\r\nProxy-Status: httpep; error=/);
  });

  test('what a web server sends behind its answer answers nobody', async () => {
    const answer = `${fine}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`;
    const ask = `${get('http://ORIGIN/1')}${get('http://ORIGIN/2')}`;
    const seen = await play({ ask, answer, until: /ok[\s\S]*ok$/ });
    expect(seen.atClient).not.toContain('poison');
    expect(seen.connectionCount).toBe(2);
  });

  test('informational answers pass, but not to HTTP/1.0', async () => {
    const answer = `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${fine}`;
    const { atClient } = await play({ ask: get('http://ORIGIN/'), answer, until: answered });
    expect(atClient.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 102', 'HTTP/1.1 103', 'HTTP/1.1 200']);
    const old = await play({ ask: get('http://ORIGIN/').replace('/1.1', '/1.0'), answer, until: answered });
    expect(old.atClient).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n/);
  });
});

test('a length that a request states twice alike is stated once', async () => {
  const ask = 'POST http://ORIGIN/ HTTP/1.1\r\nContent-Length: 5, 5\r\nContent-Length: 5\r\n\r\nhello';
  const { atOrigin } = await play({ ask, answerWhen: 'hello', until: answered });
  expect(atOrigin.match(/^content-length: .*$/gim)).toEqual(['Content-Length: 5']);
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
    expect(last.atClient).toMatch(/^HTTP\/1\.1 200 /);
    expect(last.atClient).not.toContain('secret');
    expect(last.atClient.includes(`${method} http://`)).toBe(method === 'TRACE');
  });

  test('is nothing of other methods', async () => {
    const { atOrigin } = await play({ ask: get('http://ORIGIN/', 'Max-Forwards: 0\r\n'), until: answered });
    expect(atOrigin).toMatch(/\r\nMax-Forwards: 0\r\n/);
  });
});

test('pipelined requests are sent on at once, and answered in their order', async () => {
  const ask = ['1', '2', '3'].map((path) => get(`http://ORIGIN/${path}`)).join('');
  const seen = await play({ ask, until: /(ok[\s\S]*){3}$/ });
  expect(seen.atClient.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  expect(seen.atOrigin.match(/^GET \/\d/gm)!.toSorted()).toEqual(['GET /1', 'GET /2', 'GET /3']);
});

describe('behind an unsafe request, the next one waits for its answer (RFC 9112, 9.3.2)', () => {
  const post = (fields = '') => `POST http://ORIGIN/1 HTTP/1.1\r\nHost: ORIGIN\r\nContent-Length: 0\r\n${fields}\r\n`;
  const ofUser = (name: string) => `Proxy-Authorization: Basic ${btoa(`${name}:1`)}\r\n`;
  const until = /(ok[\s\S]*){2}$/;

  test('so both use one connection', async () => {
    const seen = await play({ ask: post() + get('http://ORIGIN/2'), until });
    expect(seen.atOrigin.match(/^(GET|POST) \/\d/gm)).toEqual(['POST /1', 'GET /2']);
    expect(seen.connectionCount).toBe(1);
  });

  test('but never that of another user, for whom a web server may take it (RFC 9110, 3.3)', async () => {
    const ask = post(ofUser('ann')) + get('http://ORIGIN/2', ofUser('bob'));
    expect((await play({ ask, until })).connectionCount).toBe(2);
  });
});

test('an answer that comes before the whole request says that the connection closes (RFC 9110, 10.1.1)', async () => {
  const ask = get('http://ORIGIN/', 'Expect: 100-continue\r\nContent-Length: 500000\r\n').replace('GET', 'PUT');
  const answer = 'HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig';
  expect((await play({ ask, answer, until: /big$/ })).atClient).toMatch(/\r\nConnection: close\r\n/);
});

test('a body that ends with the connection, and broke off, does not look whole (RFC 9112, 8)', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n';
  const ask = get('http://ORIGIN/').replace('/1.1', '/1.0');
  const seen = await play({ ask, answer, closes: true, until: /never/ });
  expect(seen.isReset).toBe(true);
  const whole = await play({ ask, answer: `${answer}0\r\n\r\n`, until: /never/ });
  expect([whole.isReset, whole.atClient.endsWith('hello')]).toEqual([false, true]);
});

test('an answer without Date gets one (RFC 9110, 6.6.1), and a request keeps its Host', async () => {
  const ask = get('http://ORIGIN/', 'Connection: Host, X-Of-Hop\r\nX-Of-Hop: 1\r\n');
  const { atClient, atOrigin } = await play({ ask, until: answered });
  expect(atClient).toMatch(/\r\nDate: \w{3}, .* GMT\r\n/);
  expect(atOrigin).toMatch(/\r\nHost: 127\.0\.0\.1/);
  expect(atOrigin).not.toContain('X-Of-Hop');
});

test('requests that fail leave nothing open, however many there are', async () => {
  const count = 4200; // more than the streams that a tunnel may have at a time
  const ask = get('http://127.0.0.1:1/', 'Connection: Upgrade\r\nUpgrade: h2c\r\n').repeat(count);
  const { atClient } = await play({
    ask: ask + get('http://ORIGIN/'),
    until: { test: (text) => text.endsWith('ok') },
  });
  expect(atClient.match(/^HTTPEP: the web server did not answer/gm)).toHaveLength(count);
});
