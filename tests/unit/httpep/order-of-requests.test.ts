import { describe, expect, test } from 'vitest';
import { answered, fine, get, playBytes, type Script } from './support/play-bytes.ts';
import { startTestGround, startTestRemote, useTestPair } from './support/start-pair.ts';

const pair = useTestPair();

const play = (script: Script) => playBytes(pair.remote.port, script);

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

test('what may not be sent twice has a new connection, in place of one that was kept (RFC 9110, 9.2.2)', async () => {
  const post = (path: string) => `POST http://ORIGIN${path} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`;
  const ask = `${post('/1')}${get('http://ORIGIN/2')}${post('/3')}${post('/4')}`;
  const seen = await play({ ask, until: /(ok[^]*){4}$/ });
  expect(seen.atOrigin.match(/^(GET|POST) \/\d/gm)).toEqual(['POST /1', 'GET /2', 'POST /3', 'POST /4']);
  expect([seen.connectionCount, seen.openCount]).toEqual([3, 1]);
});

test('a request that a web server answers with 408, as it gives a kept connection up, is sent again (RFC 9110, 15.5.9)', async () => {
  const answers = [fine, 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno'];
  const ask = get('http://ORIGIN/1');
  const seen = await play({
    ask,
    thenAsk: get('http://ORIGIN/2'),
    answer: () => answers.shift() ?? fine,
    until: /(ok[^]*){2}$/,
  });
  expect(seen.atOrigin.match(/^GET \/\d/gm)).toEqual(['GET /1', 'GET /2', 'GET /2']);
  expect(seen.atClient).not.toContain('HTTP/1.1 408');
});

test.each([
  ['Connection', '1.1'],
  ['Proxy-Connection', '1.1'],
  ['Proxy-Connection', '1.0'],
])('%s: close of HTTP/%s ends the connection behind the answer', async (name, version) => {
  const ask = get('http://ORIGIN/', `${name}: close, keep-alive\r\n`).replace('/1.1', `/${version}`);
  expect((await play({ ask, until: answered })).atClient).toMatch(/\r\nConnection: close\r\n/);
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

test('what a switch to HTTP/2 needs passes with it (RFC 7540, 3.2.1)', async () => {
  const named = 'HTTP2-Settings: AAMA\r\nX-Hop: 1\r\n';
  const ask = (upgrade: string) =>
    get('http://ORIGIN/', `Connection: Upgrade, HTTP2-Settings, X-Hop\r\n${upgrade}${named}`);
  const { atOrigin } = await play({ ask: ask('Upgrade: h2c\r\n'), until: answered });
  expect(atOrigin).toMatch(/\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n\r\n$/);
  const without = await play({ ask: ask(''), until: answered });
  expect(without.atOrigin).toMatch(/\r\nConnection: keep-alive\r\n\r\n$/);
});

test('requests that fail leave nothing open, however many there are', async () => {
  const count = 40;
  await using narrow = await startTestGround({ maxStreams: 32 });
  await using through = await startTestRemote(narrow.port);
  const ask = get('http://127.0.0.1:1/', 'Connection: Upgrade\r\nUpgrade: h2c\r\n').repeat(count);
  const { atClient } = await playBytes(through.port, {
    ask: ask + get('http://ORIGIN/'),
    until: { test: (text) => text.endsWith('ok') },
  });
  expect(atClient.match(/^HTTPEP: the web server did not answer/gm)).toHaveLength(count);
});
