import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { AppError } from '#core/app-error.ts';
import { type AnyRequest, type AnyResponse, createServer, type ServerSettings } from './create-server.ts';
import type { ServerCertificate } from './certificates/issue-certificate.ts';
import { allListeners, type ListenerName, type OwnListenerName } from './listeners.ts';
import type { ConnectionTruth, TruthRecorder } from './truth-log.ts';

/** One transport connection: what the log says of it, and the TCP socket below any TLS. */
export interface Connection {
  truth: ConnectionTruth;
  /** Of a request that came through the front: the socket to the front, which carries this request alone. */
  socket: Socket;
  /** Of who asks, also beyond a front. */
  clientAddress: string;
  /** Ends it without a byte of an answer, where that is not by ending the socket. */
  leaveUnanswered?: (response: AnyResponse) => void;
}

export interface Listener {
  port: number;
  close(): Promise<void>;
}

/** One request as it came in. */
export interface Arrival {
  request: AnyRequest;
  response: AnyResponse;
  connection: Connection;
  /** As in ALPN, between the client and the server that it talks to. */
  protocol: string;
}

/** One request for a WebSocket, as it came in. */
export interface SocketArrival {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  connection: Connection;
  /** Whether small packets wait there for the acknowledgement of those before. */
  hasNagle: boolean;
}

export interface ListenerOptions {
  name: OwnListenerName;
  /** As in its settings, which it is instead of. */
  isHttp2Only?: boolean;
  host: string;
  port: number;
  certificate: ServerCertificate;
  recorder: TruthRecorder;
  readEpochMs: () => number;
  serve: (arrival: Arrival) => void;
  /** A request for a WebSocket. */
  upgrade: (arrival: SocketArrival) => void;
}

/** Listens, and gives every request the connection that it came on. Throws `port-taken`. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { name, recorder, readEpochMs, isHttp2Only = false } = options;
  const settings: ServerSettings = { ...allListeners[name], isHttp2Only };
  /** By the client's address and port, which are all that a TCP, a TLS and an HTTP/2 view of one connection share. */
  const open = new Map<string, Connection>();

  const server = createServer(settings, {
    certificate: options.certificate,
    serve: (request, response) => {
      const connection = open.get(peerOf(request.socket));
      const protocol = request.httpVersionMajor === 2 ? 'h2' : `http/${request.httpVersion}`;
      if (connection) options.serve({ request, response, connection, protocol });
      else response.destroy();
    },
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const connection = open.get(peerOf(request.socket));
    if (connection) options.upgrade({ request, socket, head, connection, hasNagle: settings.hasNagle === true });
    else socket.destroy();
  });
  server.on('connection', (socket: Socket) => {
    socket.setNoDelay(settings.hasNagle !== true);
    const peer = peerOf(socket);
    const truth = recorder.addConnection({
      listener: name,
      openedEpochMs: readEpochMs(),
      closedEpochMs: null,
      tls: null,
    });
    open.set(peer, { truth, socket, clientAddress: socket.remoteAddress ?? '' });
    socket.once('close', () => {
      truth.closedEpochMs = readEpochMs();
      open.delete(peer);
    });
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    // An HTTP/2 session, which has begun by now, turns the algorithm off.
    if (settings.hasNagle === true) socket.setNoDelay(false);
    const connection = open.get(peerOf(socket));
    if (connection)
      connection.truth.tls = { protocol: socket.getProtocol(), isSessionReused: socket.isSessionReused() };
  });

  server.listen(options.port, options.host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw describeListenFailure(options, cause);
  }

  return {
    // Not null nor a pipe's name once a TCP server listens.
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const { socket } of open.values()) socket.destroy();
      await closed;
    },
  };
}

function peerOf(socket: { remoteAddress?: string | undefined; remotePort?: number | undefined }): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}

export function describeListenFailure(
  { name, host, port }: { name: ListenerName; host: string; port: number },
  cause: unknown,
): AppError {
  const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new AppError(
        'port-taken',
        `The origin's ${name} port ${address} is in use: stop the program that uses it, or name another port`,
        { cause },
      );
    case 'EACCES':
      return new AppError(
        'port-taken',
        `The origin may not listen on ${address}: name a port above 1023, or start it as root`,
        { cause },
      );
    default:
      return new AppError(
        'port-taken',
        `The origin cannot listen on ${address} (${String(code)}): name an address of this machine`,
        { cause },
      );
  }
}
