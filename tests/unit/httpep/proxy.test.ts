import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSeededBytes } from '#tests/support/seeded-bytes.ts';
import { NameLookups, type Resolve } from '#httpep/ground/name-lookups.ts';
import type { Ground } from '#httpep/ground/start-ground.ts';
import type { Remote } from '#httpep/remote/start-remote.ts';
import { ask, type Question } from './support/ask.ts';
import { startOddOrigin, type OddOrigin } from './support/odd-origin.ts';
import { startTestGround, startTestRemote } from './support/start-pair.ts';

let origin: OddOrigin;
let ground: Ground;
let remote: Remote;

beforeAll(async () => {
  origin = await startOddOrigin();
  ground = await startTestGround();
  remote = await startTestRemote(ground.port);
});

afterAll(async () => {
  await remote[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
  await origin[Symbol.asyncDispose]();
});

const questions: [string, Question][] = [
  ['/plain', {}],
  ['/plain?a=b%20c&d', {}],
  ['/plain', { method: 'HEAD' }],
  ['/big', {}],
  ['/big', { method: 'HEAD' }],
  ['/chunked', {}],
  ['/echo', { method: 'POST', body: Buffer.from('a form') }],
  ['/echo', { method: 'PUT', body: makeSeededBytes(900_000), isChunked: true }],
  [
    '/echo',
    {
      method: 'POST',
      body: Buffer.from('x'),
      isChunked: true,
      headers: { trailer: 'X-End' },
      trailers: { 'X-End': '1' },
    },
  ],
  ['/echo', { method: 'POST', body: Buffer.from('waits'), headers: { expect: '100-continue' } }],
  ['/echo', { method: 'DELETE' }],
  ['/echo', { method: 'PATCH', body: Buffer.from('patch') }],
  ['/echo', { method: 'OPTIONS' }],
  ['/echo', { method: 'PROPFIND', body: Buffer.from('<xml/>') }],
  ['/range', { headers: { range: 'bytes=2-4' } }],
  ['/range', { headers: { range: 'bytes=99-' } }],
  ['/conditional', { headers: { 'if-none-match': '"v1"' } }],
  ['/conditional', {}],
  ['/nothing', {}],
  ['/headers', { headers: { 'X-Case': 'Kept', cookie: 'a=1; b=2', authorization: 'Basic eA==' } }],
  ['/hints', {}],
  ['/trailers', {}],
  ['/broken', {}],
  ['/broken-chunked', {}],
  ['/error', {}],
  ['/login', {}],
  ['/close', {}],
  ['/missing', {}],
];

test.for(questions)('%s %o: the same answer as directly', async ([path, question]) => {
  const direct = await ask(`${origin.url}${path}`, question);
  const proxied = await ask(`${origin.url}${path}`, question, remote.port);
  expect(proxied).toEqual(direct);
});

test('a hundred requests at once each have their own answer', async () => {
  const all = Array.from({ length: 100 }, (_, n) => ({ body: makeSeededBytes(1 + n * 300, n), n }));
  const answers = await Promise.all(
    all.map(({ body, n }) => ask(`${origin.url}/echo?${n}`, { method: 'POST', body }, remote.port)),
  );
  const direct = await Promise.all(all.map(({ body, n }) => ask(`${origin.url}/echo?${n}`, { method: 'POST', body })));
  expect(answers).toEqual(direct);
});

test('an endless answer is streamed, and ends at the origin when the browser leaves', async () => {
  const request = sendRequest({ host: '127.0.0.1', port: remote.port, path: `${origin.url}/endless`, agent: false });
  request.end();
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
  const [first] = (await once(response, 'data')) as [Buffer];
  expect(String(first)).toContain('tick');
  request.destroy();
  await expect.poll(() => origin.brokenOff).toContain('/endless');
});

test('a server that ends without an answer, and one that is not there, are a 502 that says why', async () => {
  const broken = await ask(`${origin.url}/no-answer`, {}, remote.port);
  expect(broken).toMatchObject({ status: 502, reason: 'Bad Gateway' });
  const missing = await ask('http://127.0.0.1:9/', {}, remote.port);
  expect(missing.headers).toContain('httpep; error=connection_refused');
  expect(Buffer.from(missing.body, 'base64').toString()).toMatch(/the web server did not answer \(.*ECONNREFUSED/);
});

test('a server that is at none of its addresses is a 502 that says why', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  const resolve: Resolve = (_, __, onFound) => onFound(null, addresses);
  await using other = await startTestGround({ names: new NameLookups({ resolve, places: 2 }) });
  await using through = await startTestRemote(other.port);
  const { status, headers, body } = await ask('http://a.test:9/', {}, through.port);
  expect([status, headers.includes('httpep; error=connection_refused')]).toEqual([502, true]);
  expect(Buffer.from(body, 'base64').toString()).toContain('the web server did not answer (ECONNREFUSED)');
});

/** What a socket to the proxy receives until it ends, after this text was sent. */
async function talk(question: string, then = ''): Promise<string> {
  const socket = connect(remote.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    if (received === '' && then !== '') socket.end(then);
    received += String(chunk);
  });
  socket.on('error', () => undefined);
  socket.write(question);
  await once(socket, 'close');
  return received;
}

test('CONNECT passes bytes untouched, both ways', async () => {
  const host = `127.0.0.1:${origin.port}`;
  const received = await talk(
    `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    'GET /plain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(received).toMatch(/^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 Fine Thing\r\n[\s\S]*ok$/);
});

test('CONNECT passes what the browser sends after the server has ended its side, and the other way round', async () => {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const isServerFirst of [true, false]) {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect({ port: remote.port, host: '127.0.0.1', allowHalfOpen: true });
    client.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(client, 'data');
    const [socket] = await accepted;
    const [first, second] = isServerFirst ? [socket, client] : [client, socket];
    const atSecond = text(second);
    const atFirst = text(first);
    first.end('first');
    expect(await atSecond).toBe('first');
    second.end('second');
    expect(await atFirst).toBe('second');
  }
  server.close();
});

test('CONNECT to nothing is closed', async () => {
  expect(await talk('CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: x\r\n\r\n')).toBe(
    'HTTP/1.1 200 Connection established\r\n\r\n',
  );
});

const upgrade = (protocol: string) =>
  `GET ${origin.url}/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`;

test('an upgrade passes both ways', async () => {
  const received = await talk(upgrade('websocket'), 'echo me');
  expect(received).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n[\s\S]*\r\n\r\nhello echo me$/);
});

test.each([
  ['when all has come', null],
  ['while it still comes, at a stated rate', 2000],
])('an upgrade passes what the browser sends after the server has ended its side, %s', async (_, rateKbps) => {
  await using paced = await startTestGround({ rateKbps });
  await using through = await startTestRemote(paced.port);
  const server = createServer({ allowHalfOpen: true });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect({ port: through.port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1');
  const ended = once(client, 'end');
  let received = '';
  client.on('data', (data: string) => (received += data));
  const { port } = server.address() as AddressInfo;
  client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n`);
  const [socket] = await accepted;
  const data = 'x'.repeat(60_000);
  socket.end(`HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n${data}`);
  await (rateKbps === null ? ended : once(client, 'data'));
  client.end('late');
  expect(await text(socket)).toMatch(/\r\n\r\nlate$/);
  await ended;
  expect(received.endsWith(`\r\n\r\n${data}`)).toBe(true);
  server.close();
});

test('a refused upgrade is answered as by the server', async () => {
  expect(await talk(upgrade('refused'))).toMatch(
    /^HTTP\/1\.1 426 Upgrade Required\r\n[\s\S]*X-Why: so\r\n[\s\S]*\r\n\r\nnope$/,
  );
});

test('what is not asked of a proxy is refused', async () => {
  expect(await talk('GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request/);
  expect(await talk('CONNECT nonsense HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request/);
});

test('a proxy that asks itself stops, and one that asks another of its kind does not', async () => {
  const seen = Buffer.from((await ask(`${origin.url}/via`, {}, remote.port)).body, 'base64').toString();
  expect(seen).toMatch(/^1\.1 httpep-[\da-f]{12}$/);
  const statusOf = async (...via: string[]) =>
    (await ask(`${origin.url}/via`, { headers: { via } }, remote.port)).status;
  expect(await statusOf(`1.0 other, ${seen}`)).toBe(508);
  expect(await statusOf('1.0 other', seen.replace(' ', '\t'))).toBe(508);
  expect(await statusOf('1.1 httpep', '1.1 httpep-0123456789ab (another)')).toBe(200);
});
