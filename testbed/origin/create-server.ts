import { constants } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Server as TcpServer } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { ServerCertificate } from './certificates/issue-certificate.ts';
import type { ListenerSettings } from './listeners.ts';

/** One of the origin's own. */
export type ServerSettings = ListenerSettings & { kind: 'http' | 'https' | 'http2' };

export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** Of one HTTP/1.1 message; browsers refuse more. Node's own 16 KiB would refuse long addresses and cookies. */
export const maxHeaderSize = 256 * 1024;

/** Of HTTP/1.1 at every listener. `keepAliveTimeout`: longer than any pause within a Visit, as connections end when the client wants it. */
export const http1Options = { keepAliveTimeout: 120_000, maxHeaderSize };

/** In megabytes. Node's own 10 would refuse requests of a page of many objects. */
const maxSessionMemory = 2_000;

interface ServerOptions {
  certificate: ServerCertificate;
  serve: (request: AnyRequest, response: AnyResponse) => void;
}

/** The server of one listener. */
export function createServer(settings: ServerSettings, { certificate, serve }: ServerOptions): TcpServer {
  const { kind, isClosing = false } = settings;
  const serveOnce = (request: IncomingMessage, response: ServerResponse): void => {
    if (isClosing) response.setHeader('connection', 'close');
    serve(request, response);
  };
  switch (kind) {
    case 'http':
      return createHttpServer(http1Options, serveOnce);
    case 'https':
      return createHttpsServer(
        {
          ...certificate,
          ...describeTls(settings),
          ...http1Options,
          ALPNProtocols: ['http/1.1'],
        },
        serveOnce,
      );
    case 'http2':
      return createHttp2Server(settings, { certificate, serve });
  }
}

function createHttp2Server(settings: ListenerSettings, { certificate, serve }: ServerOptions): TcpServer {
  const { maxConcurrentStreams, windowBytes, isHttp2Only = false } = settings;
  const server = createSecureServer(
    {
      ...certificate,
      ...describeTls(settings),
      ...http1Options,
      allowHTTP1: !isHttp2Only,
      strictSingleValueFields: false, // recorded servers repeat fields, and browsers read them
      maxSessionMemory,
      settings: {
        ...(maxConcurrentStreams !== undefined && { maxConcurrentStreams }),
        ...(windowBytes !== undefined && { initialWindowSize: windowBytes }),
      },
    },
    serve,
  );
  if (windowBytes !== undefined) server.on('session', (session) => session.setLocalWindowSize(windowBytes));
  return server;
}

function describeTls({ tlsVersion, hasNoTickets = false }: ListenerSettings): TlsOptions {
  return {
    ...(tlsVersion && { minVersion: tlsVersion, maxVersion: tlsVersion }),
    ...(hasNoTickets && { secureOptions: constants.SSL_OP_NO_TICKET }),
  };
}
