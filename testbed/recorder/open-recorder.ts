import { once } from 'node:events';
import { createServer as createHttp1Server, type IncomingMessage } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import { createAuthority } from '../origin/certificates/certificate-authority.ts';
import { issueCertificate, type ServerCertificate } from '../origin/certificates/issue-certificate.ts';
import { maxHeaderSize, type AnyRequest, type AnyResponse } from '../origin/create-server.ts';
import { hashPublicKey } from '../origin/start-origin.ts';
import { Recording, type RecordedConnection } from './recording.ts';
import { openHttp1Sender, openHttp2Sender, pairUp, relayExchange, type Sender } from './relay-exchange.ts';
import { answerSocksRequest, readBytes, readSocksRequest, type SocksRequest } from './socks-request.ts';
import { openUpstream, secureUpstream, type Upstream } from './upstream.ts';

const tlsHandshake = 0x16;
const streamsAtATime = 128;

export interface RecorderOptions {
  /** Bodies are kept in it until they are written. */
  folder: string;
  /** Keys of servers to trust beside those that are valid here, as base64 SHA-256. */
  trustedKeys: readonly string[];
  /** Where a host is, for names that only this recording knows. Not given: where its name leads. */
  connectTo?: ((target: SocksRequest) => SocksRequest) | undefined;
  readEpochMs: EpochClock;
}

/** A proxy on this machine that records what a browser loads through it. */
export interface Recorder extends AsyncDisposable {
  /** For the browser's setting `proxy`: `socks5://127.0.0.1:PORT`. */
  readonly proxyUrl: string;
  /** For its setting `trustedKeys`: the recorder ends TLS with certificates of its own. */
  readonly trustedKey: string;
  readonly recording: Recording;
  /** Of hosts that could not be connected to: why. */
  readonly unreachable: ReadonlyMap<string, string>;
  /** Aborts, with an AppError, where the recording exceeds a limit or cannot be kept. */
  readonly failed: AbortSignal;
  /** Ends the connections that are open, and waits until all that went over them is recorded. */
  settle(): Promise<void>;
}

/** Each connection of the browser is one to the server, by the protocol that the server chooses; so a host has as many connections as the browser opens. */
export async function openRecorder({
  folder,
  trustedKeys,
  connectTo = (target) => target,
  readEpochMs,
}: RecorderOptions): Promise<Recorder> {
  const authority = await createAuthority(readEpochMs());
  const failing = new AbortController();
  const closing = new AbortController();
  /** Of what is passed on now. */
  let ending = new AbortController();
  const recording = new Recording({ folder, readEpochMs, onFailure: (error) => failing.abort(error) });
  const unreachable = new Map<string, string>();
  const certificates = new Map<string, Promise<ServerCertificate>>();
  const open = new Set<Socket>();
  const relays = new Set<Promise<void>>();
  let connections = 0;

  const noteUnreachable = (host: string, error: unknown) => {
    const why = (error as Error).message;
    unreachable.set(host, why);
    recording.noteUnreachable(host, why);
  };
  const certificateFor = (host: string): Promise<ServerCertificate> => {
    const made = certificates.get(host) ?? issueCertificate(authority, { hosts: [host], nowEpochMs: readEpochMs() });
    certificates.set(host, made);
    return made;
  };
  const serve = (connection: RecordedConnection, sender: Sender) => (request: AnyRequest, response: AnyResponse) => {
    const { scheme } = connection.upstream;
    const authorityOfUrl = ('authority' in request && request.authority) || request.headers.host;
    const head = {
      url: `${scheme}://${authorityOfUrl}${request.url}`,
      method: request.method!,
      headers: pairUp(request.rawHeaders),
    };
    const exchange = recording.beginExchange(connection, head);
    connection.isUsed = true;
    const relay = relayExchange(sender, { request, response, exchange, ending: ending.signal }).finally(() => {
      relays.delete(relay);
      connection.relays.delete(relay);
    });
    relays.add(relay);
    connection.relays.add(relay);
  };
  const accept = async (socket: Socket) => {
    // Browsers open connections that they may need, and end some before the server has answered.
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    const signal = AbortSignal.any([closing.signal, gone.signal]);
    const target = await readSocksRequest(socket, signal);
    const upstream = await connectFor(target, { socket, signal });
    if (!upstream) return;
    const [first] = await readBytes(socket, 1, signal);
    socket.unshift(Buffer.from([first!]));
    const isSecure = first === tlsHandshake;
    const both = isSecure ? await endTls(socket, { target, upstream, signal }) : { browser: socket, upstream };
    const connection = {
      number: ++connections,
      upstream: both.upstream,
      isUsed: false,
      relays: new Set<Promise<void>>(),
    };
    // What the server sent before it ended the connection still goes to the browser.
    both.upstream.socket.once('close', () => void Promise.all(connection.relays).then(() => both.browser.end()));
    both.browser.once('close', () => both.upstream.socket.destroy());
    await serveConnection(both.browser, { connection, signal });
  };
  const connectFor = async (
    target: SocksRequest,
    { socket, signal }: { socket: Socket; signal: AbortSignal },
  ): Promise<Upstream | null> => {
    try {
      const upstream = await openUpstream(connectTo(target), { readEpochMs, signal });
      answerSocksRequest(socket, true);
      return upstream;
    } catch (error) {
      if (signal.aborted) return null;
      noteUnreachable(target.host, error);
      answerSocksRequest(socket, false);
      return null;
    }
  };
  /** The server chooses the protocol first. A browser that does not speak it, as for a WebSocket, gets another connection. */
  const endTls = async (
    socket: Socket,
    { target, upstream, signal }: { target: SocksRequest; upstream: Upstream; signal: AbortSignal },
  ) => {
    const secure = async (tcp: Upstream, protocols: string[]) => {
      try {
        return await secureUpstream(tcp, { host: target.host, protocols, trustedKeys, readEpochMs, signal });
      } catch (error) {
        if (!signal.aborted) noteUnreachable(target.host, error);
        throw error;
      }
    };
    const chosen = await secure(upstream, ['h2', 'http/1.1']);
    const server = createTlsServer({
      ...(await certificateFor(target.host)),
      ALPNCallback: ({ protocols }) => [chosen.protocol, 'http/1.1'].find((each) => protocols.includes(each)),
    });
    server.emit('connection', socket);
    const [browser] = (await once(server, 'secureConnection', { signal })) as [TLSSocket];
    browser.on('error', () => browser.destroy());
    if (chosen.protocol === 'http/1.1' || browser.alpnProtocol === 'h2') return { browser, upstream: chosen };
    chosen.socket.destroy();
    return {
      browser,
      upstream: await secure(await openUpstream(connectTo(target), { readEpochMs, signal }), ['http/1.1']),
    };
  };
  const serveConnection = async (
    browser: Duplex,
    { connection, signal }: { connection: RecordedConnection; signal: AbortSignal },
  ) => {
    const { upstream } = connection;
    if (upstream.protocol === 'h2') {
      const sender = await openHttp2Sender(upstream, signal);
      const server = createHttp2Server(
        {
          settings: { maxConcurrentStreams: streamsAtATime },
          maxSessionMemory: 1000,
          maxHeaderListPairs: 1000,
          strictSingleValueFields: false, // servers repeat fields, and browsers read them
        },
        serve(connection, sender),
      );
      server.on('session', (session) => sender.session.once('goaway', () => session.close()));
      server.emit('connection', browser);
      return;
    }
    const server = createHttp1Server(
      { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, maxHeaderSize },
      serve(connection, openHttp1Sender(upstream)),
    );
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, rest: Buffer) =>
      tunnel(request, { socket, rest, connection, recording }),
    );
    server.emit('connection', browser);
  };

  const listener = createServer((socket) => {
    socket.setNoDelay(true);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    accept(socket).catch(() => socket.destroy()); // why is in `unreachable`, or the browser ended it
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const settle = async () => {
    ending.abort();
    ending = new AbortController();
    for (const socket of open) socket.destroy();
    while (relays.size > 0) await Promise.all(relays);
  };
  return {
    proxyUrl: `socks5://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    trustedKey: hashPublicKey(authority.certificate),
    recording,
    unreachable,
    failed: failing.signal,
    settle,
    async [Symbol.asyncDispose]() {
      const closed = once(listener, 'close');
      listener.close();
      closing.abort();
      await settle();
      await closed;
    },
  };
}

/** A WebSocket: its messages are passed on, and its address alone is recorded. */
function tunnel(
  { method, url, httpVersion, headers, rawHeaders }: IncomingMessage,
  {
    socket,
    rest,
    connection,
    recording,
  }: { socket: Duplex; rest: Buffer; connection: RecordedConnection; recording: Recording },
): void {
  const onward = connection.upstream.socket;
  // The connection's own reader would take what the server answers.
  if (connection.isUsed) return void socket.destroy();
  connection.isUsed = true;
  const scheme = connection.upstream.scheme === 'https' ? 'wss' : 'ws';
  recording.noteWebSocket(`${scheme}://${headers.host ?? ''}${url ?? ''}`);
  const lines = pairUp(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  onward.write(`${method} ${url} HTTP/${httpVersion}\r\n${lines.join('')}\r\n`, 'latin1');
  onward.write(rest);
  onward.pipe(socket).pipe(onward);
}
