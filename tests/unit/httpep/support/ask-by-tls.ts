import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as sendRequest, type IncomingMessage } from 'node:http';
import { request as sendSecure } from 'node:https';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect } from 'node:tls';

/** A connection to a host by a proxy on this machine. */
export async function openTunnel(
  target: string,
  proxyPort: number,
  headers: Record<string, string> = {},
): Promise<Socket> {
  const request = sendRequest({ port: proxyPort, method: 'CONNECT', path: target, headers, agent: false });
  request.end();
  const [response, socket] = (await once(request, 'connect')) as [IncomingMessage, Socket];
  if (response.statusCode !== 200) throw new Error(`CONNECT: ${response.statusCode!}`);
  return socket;
}

/** Asks as a browser that trusts any key, and shows which one it was. */
export async function askByTls(
  url: string,
  {
    proxyPort,
    headers = {},
    connectHeaders,
  }: { proxyPort: number; headers?: Record<string, string>; connectHeaders?: Record<string, string> },
) {
  const { host, hostname, pathname, search } = new URL(url);
  const socket = await openTunnel(host, proxyPort, connectHeaders);
  const secure = connect({ socket, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(secure, 'secureConnect');
  const certificate = secure.getPeerX509Certificate()!;
  const request = sendSecure({
    host: hostname,
    path: pathname + search,
    headers: { host, ...headers },
    createConnection: () => secure,
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  secure.destroy();
  return {
    status: response.statusCode!,
    headers: response.headers,
    body,
    isForHost: certificate.checkIP(hostname) !== undefined || certificate.checkHost(hostname) !== undefined,
    protocol: secure.alpnProtocol,
    key: createHash('sha256')
      .update(certificate.publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64'),
  };
}
