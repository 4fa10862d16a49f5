import { once } from 'node:events';
import { connect as connectHttp2, type Settings } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { beforeEach, expect, test } from 'vitest';
import { allListeners, fixedPorts, ownListenerNames, type ListenerName } from '#testbed/origin/listeners.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { askHttp2, askOrigin } from './ask-origin.ts';
import { holdForAll } from '#tests/support/hold.ts';

const origin = holdForAll(() => startOrigin({ listeners: 'all' }));
beforeEach(() => origin.truth.clear());

const urlOf = (name: ListenerName): string => origin.urls[name]!;

async function openTls(name: ListenerName, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const { hostname, port } = new URL(urlOf(name));
  const socket = connectTls({ host: hostname, port: Number(port), ca: origin.authorityCertificate, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

test('each listener has a port of its own, fixed or not', () => {
  expect(new Set(Object.values(fixedPorts)).size).toBe(Object.keys(allListeners).length);
  expect(new Set(ownListenerNames.map(urlOf)).size).toBe(ownListenerNames.length);
});

test.each(ownListenerNames)('the listener %s serves pages and names itself in the log', async (name) => {
  expect((await askOrigin(origin, `${urlOf(name)}/images/1?visit=${name}`)).status).toBe(200);
  const [request] = origin.truth.requests(name);
  const { listener, tls } = origin.truth.connections().find(({ id }) => id === request!.connectionId)!;
  const { kind } = allListeners[name];
  expect([listener, tls === null]).toEqual([name, kind === 'http']);
});

const closing = new Set<ListenerName>([
  'http-close',
  'https-close',
  'https-tls12-close',
  'https-tls12-close-no-tickets',
]);
const keeping = ['http', 'http-nagle', 'https', 'https-tls12', 'https-no-tickets'] as const;

/** Two requests one after the other on one connection, as far as that stays open. */
async function askTwice(name: ListenerName): Promise<{ text: string; isClosed: boolean }> {
  const { hostname, port, protocol } = new URL(urlOf(name));
  const socket: Socket =
    protocol === 'https:' ? await openTls(name) : connectTcp({ host: hostname, port: Number(port) });
  let text = '';
  socket.on('data', (data: Buffer) => (text += data.toString('latin1')));
  const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: origin\r\n\r\n`);
  const countAnswers = () => text.split('{}').length - 1;
  ask('/data?counts=total&object=first');
  await expect.poll(() => socket.closed || countAnswers()).toBe(closing.has(name) ? true : 1);
  if (!socket.closed) {
    ask('/data?counts=total&object=second');
    await expect.poll(countAnswers).toBe(2);
  }
  const isClosed = socket.closed;
  socket.destroy();
  return { text, isClosed };
}

test.each([...closing])('%s closes each connection after one answer, and says so', async (name) => {
  const { text, isClosed } = await askTwice(name);
  expect(isClosed).toBe(true);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\nconnection: close\r\n/i);
  expect(text.split('{}')).toHaveLength(2);
  expect(origin.truth.requests()).toHaveLength(1);
});

test.each(keeping)('%s answers further requests on a connection', async (name) => {
  const { text, isClosed } = await askTwice(name);
  expect(isClosed).toBe(false);
  expect(text).not.toMatch(/connection: close/i);
  const requests = origin.truth.requests();
  expect(requests).toHaveLength(2);
  expect(new Set(requests.map(({ connectionId }) => connectionId)).size).toBe(1);
});

const oldTls = ['https-tls12', 'https-tls12-close', 'https-tls12-close-no-tickets', 'http2-tls12'] as const;
test.each(oldTls)('%s has TLS 1.2 only', async (name) => {
  const socket = await openTls(name);
  expect(socket.getProtocol()).toBe('TLSv1.2');
  socket.destroy();
  await expect(openTls(name, { minVersion: 'TLSv1.3' })).rejects.toThrow(/version/i);
});

test.each(['https-close', 'https-no-tickets'] as const)('%s has TLS 1.3 only', async (name) => {
  const socket = await openTls(name);
  expect(socket.getProtocol()).toBe('TLSv1.3');
  socket.destroy();
  await expect(openTls(name, { maxVersion: 'TLSv1.2' })).rejects.toThrow(/version/i);
});

async function isResumed(name: ListenerName): Promise<boolean> {
  const first = await openTls(name);
  const sessions: Buffer[] = [];
  first.on('session', (session: Buffer) => sessions.push(session));
  first.write('GET /data?counts=total HTTP/1.1\r\nHost: origin\r\n\r\n');
  await once(first, 'data');
  // TLS 1.2 has it before the handshake ends.
  const session = sessions.at(-1) ?? first.getSession();
  first.destroy();
  const second = await openTls(name, session ? { session } : {});
  const wasReused = second.isSessionReused();
  second.destroy();
  return wasReused;
}

test('connections resume their TLS session, but not on the listeners without tickets', async () => {
  expect(await isResumed('https')).toBe(true);
  expect(await isResumed('https-no-tickets')).toBe(false);
  expect(await isResumed('https-tls12-close')).toBe(true);
  expect(await isResumed('https-tls12-close-no-tickets')).toBe(false);
});

async function readSettings(name: ListenerName): Promise<Settings> {
  const session = connectHttp2(urlOf(name), { ca: origin.authorityCertificate });
  try {
    const [settings] = (await once(session, 'remoteSettings')) as [Settings];
    await askHttp2(session, '/images/0');
    return { ...settings, initialWindowSize: settings.initialWindowSize! };
  } finally {
    session.close();
  }
}

test('the HTTP/2 listeners announce the streams and the window that they are for', async () => {
  expect((await readSettings('http2-streams-100')).maxConcurrentStreams).toBe(100);
  expect((await readSettings('http2-streams-1000')).maxConcurrentStreams).toBe(1000);
  expect((await readSettings('http2')).maxConcurrentStreams).toBe(4_294_967_295);
  expect((await readSettings('http2-window-1m')).initialWindowSize).toBe(1_048_576);
  expect((await readSettings('http2')).initialWindowSize).toBe(65_535);
});

test('objects that are foreign to a page over TLS come over TLS, too', async () => {
  for (const name of ownListenerNames) {
    const html = (await askOrigin(origin, `${urlOf(name)}/hard-cases`)).body.toString();
    const foreign = [...html.matchAll(/(https?):\/\/localhost:(\d+)\//g)].map(([, scheme]) => scheme);
    const scheme = allListeners[name].kind === 'http' ? 'http' : 'https';
    expect(new Set(foreign), name).toEqual(new Set(name === 'crossOrigin' ? [] : [scheme]));
  }
});
