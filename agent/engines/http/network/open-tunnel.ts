import { request } from 'node:http';
import type { Socket } from 'node:net';
import { SocksClient } from 'socks';
import { NetworkError } from './network-error.ts';

export interface TunnelEnd {
  hostname: string;
  port: number;
}

/** A tunnel through an HTTP proxy (CONNECT, RFC 9110 section 9.3.6) over a connection to it. */
export async function openHttpTunnel(
  socket: Socket,
  { hostname, port }: TunnelEnd,
  signal: AbortSignal,
): Promise<Socket> {
  const authority = `${hostname}:${port}`;
  const asked = request({
    method: 'CONNECT',
    path: authority,
    headers: { host: authority },
    createConnection: () => socket,
    signal,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  asked.once('error', reject);
  asked.once('response', (response) =>
    reject(new NetworkError('proxy-failure', `The proxy answered CONNECT with HTTP ${response.statusCode}`)),
  );
  asked.once('connect', (response, tunnel, head) => {
    if (response.statusCode !== 200)
      return reject(new NetworkError('proxy-failure', `The proxy answered CONNECT with HTTP ${response.statusCode}`));
    if (head.length > 0) tunnel.unshift(head);
    resolve(tunnel);
  });
  asked.end();
  return promise;
}

/** A tunnel through a SOCKS proxy over a connection to it; the proxy resolves the name. */
export async function openSocksTunnel(socket: Socket, version: 4 | 5, { hostname, port }: TunnelEnd): Promise<Socket> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  // It takes over a connection that is there already; host and port of the proxy are then not used.
  const { socket: tunnel } = await SocksClient.createConnection({
    proxy: { host: '0.0.0.0', port: 1080, type: version },
    command: 'connect',
    destination: { host, port },
    existing_socket: socket,
  });
  return tunnel;
}
