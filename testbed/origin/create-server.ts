import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Server as TcpServer } from 'node:net';
import type { ServerCertificate } from './certificates/issue-certificate.ts';
import type { ListenerName } from './truth-log.ts';

export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

/** Longer than any pause within a Visit: connections end when the client wants it. */
const keepAliveTimeoutMs = 120_000;

interface ServerOptions {
  certificate: ServerCertificate;
  serve: (request: AnyRequest, response: AnyResponse) => void;
}

/** The server of one listener, by the protocols that it is there for. */
export function createServer(name: ListenerName, { certificate, serve }: ServerOptions): TcpServer {
  switch (name) {
    case 'http':
    case 'crossOrigin':
      return createHttpServer({ keepAliveTimeout: keepAliveTimeoutMs }, serve);
    case 'https':
      return createHttpsServer(
        { ...certificate, ALPNProtocols: ['http/1.1'], keepAliveTimeout: keepAliveTimeoutMs },
        serve,
      );
    case 'http2':
      return createSecureServer({ ...certificate, allowHTTP1: true }, serve);
  }
}
