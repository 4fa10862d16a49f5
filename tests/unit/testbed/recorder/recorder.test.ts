import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request as sendRequest, type IncomingMessage, type RequestListener } from 'node:http';
import { connect as connectHttp2, constants, createSecureServer } from 'node:http2';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { mostBodyBytes, mostHosts, mostWebSockets } from '#core/site/site.ts';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import { hashPublicKey } from '#testbed/origin/start-origin.ts';
import { Recording } from '#testbed/recorder/recording.ts';
import { openRecorder, type Recorder, type RecorderOptions } from '#testbed/recorder/open-recorder.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

/** A server, and a recorder in front of it. */
async function openBoth(
  listener: RequestListener,
  { readEpochMs = epochClock, ...options }: Partial<Pick<RecorderOptions, 'readEpochMs' | 'connectTo'>> = {},
) {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await makeTemporaryFolder());
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opening.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const recorder = opening.use(await openRecorder({ folder: folder.path, trustedKeys: [], readEpochMs, ...options }));
  const opened = opening.move();
  return {
    server,
    recorder,
    folder,
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A connection through the recorder, as a browser opens one. */
async function connectBySocks(recorder: Recorder, port: number): Promise<Socket> {
  const socket = connect(Number(new URL(recorder.proxyUrl).port), '127.0.0.1');
  socket.write(Buffer.from([5, 1, 0]));
  await once(socket, 'data');
  socket.write(Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 255]));
  const [[, code]] = (await once(socket, 'data')) as [Buffer];
  if (code !== 0) throw new Error(`SOCKS code ${code}`);
  return socket;
}

async function load(recorder: Recorder, port: number, path = '/', body = ''): Promise<IncomingMessage> {
  const socket = await connectBySocks(recorder, port);
  const agent = Object.assign(new Agent(), { createConnection: () => socket });
  const request = sendRequest({
    agent,
    path,
    headers: { host: `127.0.0.1:${port}` },
    ...(body !== '' && { method: 'POST' }),
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

test('what is loaded between two visits passes, and is not recorded', async () => {
  await using both = await openBoth((_request, response) => response.end('Hello'));
  const { recorder, port } = both;
  expect(String(await buffer(await load(recorder, port)))).toBe('Hello');
  recorder.recording.beginVisit({ page: 1, visit: 1 });
  expect(String(await buffer(await load(recorder, port, '/recorded')))).toBe('Hello');
  await recorder.settle();
  recorder.recording.endVisit();
  expect(String(await buffer(await load(recorder, port)))).toBe('Hello');
  expect(recorder.recording.exchanges.map(({ url }) => url)).toEqual([`http://127.0.0.1:${port}/recorded`]);
});

test('an answer that breaks off, and one that has no end, are not recorded as answers', async () => {
  await using both = await openBoth((request, response) => {
    response.writeHead(200).write('half');
    if (request.url === '/broken') response.destroy();
  });
  const { recorder, port } = both;
  recorder.recording.beginVisit({ page: 1, visit: 1 });
  await expect(load(recorder, port, '/broken').then(buffer)).rejects.toThrow();
  await load(recorder, port, '/endless');
  await recorder.settle();
  expect(recorder.recording.exchanges).toEqual([]);
  expect([...recorder.recording.incomplete.keys()]).toEqual([
    `http://127.0.0.1:${port}/broken`,
    `http://127.0.0.1:${port}/endless`,
  ]);
});

test('an answer that no Site can hold passes, and is left out with the reason', async () => {
  await using both = await openBoth((_request, response) => response.writeHead(999).end('Denied'));
  const { recorder, port } = both;
  recorder.recording.beginVisit({ page: 1, visit: 1 });
  expect((await load(recorder, port)).resume().statusCode).toBe(999);
  await recorder.settle();
  expect(recorder.recording.exchanges).toEqual([]);
  expect([...recorder.recording.incomplete.values()]).toEqual([
    expect.stringMatching(/^a Site cannot hold it: status .*599/),
  ]);
});

test('an answer is recorded though the browser ends its connection as soon as it has the last byte, and not where it gives up before', async () => {
  const part = Buffer.alloc(1_000_000, 'x');
  await using both = await openBoth((request, response) => {
    response.writeHead(200, { 'content-length': (request.url === '/whole' ? 5 : 50) * part.length });
    for (let n = 0; n < 5; n++) response.write(part);
  });
  const { recorder, port } = both;
  recorder.recording.beginVisit({ page: 1, visit: 1 });
  for (const path of ['/whole', '/partly']) {
    const response = await load(recorder, port, path);
    let bytes = 0;
    for await (const own of response as AsyncIterable<Buffer>) if ((bytes += own.length) >= 5 * part.length) break;
    response.destroy();
  }
  await recorder.settle();
  expect(recorder.recording.exchanges.map(({ url, body }) => [new URL(url).pathname, body!.bytes])).toEqual([
    ['/whole', 5 * part.length],
  ]);
});

test('what is sent with a request is recorded by its hash, by which a replay distinguishes requests', async () => {
  await using both = await openBoth((request, response) => {
    request.resume().once('end', () => response.end());
  });
  const { recorder, port } = both;
  recorder.recording.beginVisit({ page: 1, visit: 1 });
  for (const body of ['', 'a=1']) (await load(recorder, port, '/form', body)).resume();
  await recorder.settle();
  expect(recorder.recording.exchanges.map(({ method, requestBodySha256 }) => [method, requestBodySha256])).toEqual([
    ['GET', null],
    ['POST', createHash('sha256').update('a=1').digest('hex')],
  ]);
});

test('an answer has the times of its start, of its first byte and of its last', async () => {
  let nowMs = 1000;
  const { promise: isBegun, resolve: sendRest } = Promise.withResolvers<undefined>();
  await using both = await openBoth(
    (_request, response) => {
      nowMs += 30;
      response.write('first');
      void isBegun.then(() => response.end('last'));
    },
    { readEpochMs: () => nowMs },
  );
  const { recorder, port } = both;
  recorder.recording.beginVisit({ page: 1, visit: 1 });
  nowMs += 7;
  const response = await load(recorder, port);
  await once(response, 'data');
  nowMs += 500;
  sendRest(undefined);
  await buffer(response);
  await recorder.settle();
  expect(recorder.recording.exchanges).toMatchObject([{ startMs: 7, thinkMs: 30, receiveMs: 500 }]);
});

test('the WebSockets of each Visit are named, up to a bound', () => {
  const recording = new Recording({ readEpochMs: epochClock, folder: '', onFailure: () => undefined });
  for (const visit of [1, 2]) {
    recording.beginVisit({ page: 1, visit });
    for (let number = 0; number <= mostWebSockets; number++) recording.noteWebSocket('ws://a/chat');
    expect(recording.webSocketsOf({ page: 1, visit })).toHaveLength(mostWebSockets);
  }
});

test('a WebSocket passes, and its messages are not recorded', async () => {
  await using both = await openBoth((_request, response) => response.end());
  const { server, recorder, port } = both;
  server.on('upgrade', (_request: IncomingMessage, socket: Socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    socket.pipe(socket);
  });
  recorder.recording.beginVisit({ page: 1, visit: 1 });
  const socket = await connectBySocks(recorder, port);
  socket.write('GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(String(head)).toContain('101 Switching Protocols');
  socket.write('message');
  const [echo] = (await once(socket, 'data')) as [Buffer];
  expect(String(echo)).toBe('message');
  await recorder.settle();
  expect(recorder.recording.exchanges).toEqual([]);
  expect(recorder.recording.webSocketsOf({ page: 1, visit: 1 })).toEqual(['ws://a/chat']);
  expect(recorder.recording.webSocketsOf({ page: 1, visit: 2 })).toEqual([]);
});

/** The same over HTTP/2: the session of a browser with the server, through the recorder. */
async function openHttp2Both(listener: Parameters<typeof createSecureServer>[1]) {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await makeTemporaryFolder());
  const authority = await createAuthority(epochClock());
  const certificate = await issueCertificate(authority, { hosts: ['127.0.0.1'], nowEpochMs: epochClock() });
  const server = createSecureServer(certificate, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opening.defer(() => void server.close());
  const trustedKeys = [hashPublicKey(authority.certificate)];
  const recorder = opening.use(await openRecorder({ folder: folder.path, trustedKeys, readEpochMs: epochClock }));
  const { port } = server.address() as AddressInfo;
  const tcp = await connectBySocks(recorder, port);
  const socket = connectTls({ socket: tcp, ALPNProtocols: ['h2'], rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const session = connectHttp2(`https://127.0.0.1:${port}`, { createConnection: () => socket });
  opening.defer(() => session.destroy());
  const opened = opening.move();
  return { recorder, session, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

test('early hints reach the browser ahead of the answer, and are recorded', async () => {
  const isHinted = Promise.withResolvers<void>();
  const links = ['</a,b.css>; rel=preload; as=style', '<https://cdn.test>; rel=preconnect'];
  await using both = await openHttp2Both((_request, response) => {
    response.writeEarlyHints({ link: links });
    void isHinted.promise.then(() => response.end('Hello'));
  });
  const { recorder, session } = both;
  recorder.recording.beginVisit({ page: 1, visit: 1 });
  const stream = session.request({ ':path': '/' });
  const [hint] = (await once(stream, 'headers')) as [Record<string, unknown>];
  expect(hint).toMatchObject({ ':status': 103, link: links.join(', ') });
  isHinted.resolve();
  expect(String(await buffer(stream))).toBe('Hello');
  await recorder.settle();
  const [exchange] = recorder.recording.exchanges;
  expect(exchange).toMatchObject({ status: 200, earlyHints: [{ links, thinkMs: expect.any(Number) as number }] });
  expect(exchange!.earlyHints![0]!.thinkMs).toBeLessThanOrEqual(exchange!.thinkMs!);
});

test('an answer over HTTP/2 that breaks off does so for the browser, to which it would look whole', async () => {
  await using both = await openHttp2Both((_request, response) => {
    response.write('half', () => response.stream.close(constants.NGHTTP2_INTERNAL_ERROR));
  });
  const stream = both.session.request({ ':path': '/' }).resume();
  await new Promise((resolve) => stream.on('error', () => undefined).once('close', resolve));
  expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
});

test('a host that cannot be connected to is named with the reason, and another protocol than SOCKS is refused', async () => {
  await using both = await openBoth((_request, response) => response.end());
  const { server, recorder, port } = both;
  server.close();
  await once(server, 'close');
  await expect(connectBySocks(recorder, port)).rejects.toThrow('SOCKS code 4');
  expect(recorder.unreachable.get('127.0.0.1')).toMatch(/ECONNREFUSED/);
  expect(recorder.recording.incomplete.size).toBe(0);
  recorder.recording.beginVisit({ page: 1, visit: 1 });
  await expect(connectBySocks(recorder, port)).rejects.toThrow('SOCKS code 4');
  expect(recorder.recording.incomplete.get('127.0.0.1')).toMatch(/ECONNREFUSED/);
  const foreign = connect(Number(new URL(recorder.proxyUrl).port), '127.0.0.1');
  foreign.write('GET / HTTP/1.1\r\n\r\n');
  await once(foreign, 'close');
});

test('a body or a number of hosts beyond the limits of a Site ends the recording', async () => {
  await using both = await openBoth((_request, response) => response.end('Hello'));
  const { recorder, port } = both;
  const { recording } = recorder;
  recording.beginVisit({ page: 1, visit: 1 });
  await buffer(await load(recorder, port));
  await recorder.settle();
  const [exchange] = recording.exchanges;
  const upstream = {
    address: null,
    certificateNames: [],
    certificateChain: null,
    connectMs: 1,
    tlsMs: null,
    scheme: 'http',
    protocol: 'http/1.1',
  } as never;
  const addHost = (n: number) =>
    recording.add(
      { ...exchange!, url: `http://h${n}.test/` },
      { number: 1, upstream, isUsed: true, relays: new Set() },
    );
  for (let n = 1; n < mostHosts; n++) addHost(n);
  expect(recorder.failed.aborted).toBe(false);
  expect(() => addHost(mostHosts)).toThrow(/more than 200 hosts/);
  expect(recorder.failed.reason).toMatchObject({ code: 'too-large' });
  expect(() => recording.bodies.count(1, mostBodyBytes + 1)).toThrow(/a body has more than 256 MiB/);
});

test('a body that cannot be kept ends the recording', async () => {
  await using both = await openBoth((_request, response) => response.end('Hello'));
  const { folder, recorder, port } = both;
  await folder[Symbol.asyncDispose]();
  recorder.recording.beginVisit({ page: 1, visit: 1 });
  await buffer(await load(recorder, port));
  await recorder.settle();
  expect(recorder.failed.reason).toMatchObject({
    code: 'recording-failed',
    message: expect.stringMatching(/^Bodies cannot be kept in .*ENOENT/) as string,
  });
});

test('a connection that the browser ends before the server has it, is ended', async () => {
  const browsers: Socket[] = [];
  await using both = await openBoth((_request, response) => void response.write('half'), {
    connectTo: (target) => {
      browsers.shift()?.destroy();
      // The look-up of a name takes longer than the news that the browser has gone.
      return { ...target, host: 'localhost' };
    },
  });
  const { recorder, port, server } = both;
  const leaving = connect(Number(new URL(recorder.proxyUrl).port), '127.0.0.1');
  browsers.push(leaving);
  leaving.write(Buffer.from([5, 1, 0]));
  await once(leaving, 'data');
  leaving.write(Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 255]));
  await once(leaving, 'close');
  const { socket } = await load(recorder, port);
  await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(1);
  socket.destroy();
  expect(recorder.unreachable.size).toBe(0);
});
