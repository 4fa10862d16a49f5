import { once } from 'node:events';
import {
  createServer as createHttpServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export interface TestProxy extends AsyncDisposable {
  url: string;
  /** `host:port` of all that it was asked for, in order. To it, every name is the address that it listens on. */
  asked: string[];
}

/** A proxy that passes on plain requests, and tunnels by CONNECT; with a certificate it is itself spoken to by TLS. */
export async function startHttpProxy(tls?: { key: string; cert: string }, host = '127.0.0.1'): Promise<TestProxy> {
  const asked: string[] = [];
  const server = tls ? createHttpsServer(tls) : createHttpServer();
  const open = new Set<Duplex>();
  server.on('connection', (socket: Duplex) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url!);
    asked.push(url.host);
    const onward = sendRequest(
      {
        host,
        port: url.port || 80,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    asked.push(request.url!);
    const onward = connect(Number(request.url!.split(':').at(-1)), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
