import { once } from 'node:events';
import {
  Agent as HttpAgent,
  get as httpGet,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { Agent as HttpsAgent, get as httpsGet } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Origin } from '#testbed/origin/start-origin.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** One GET over HTTP/1.1 on a connection of its own, read to the end. */
export async function askOrigin(origin: Origin, url: string, headers?: OutgoingHttpHeaders): Promise<Answer> {
  const response = await openAnswer(origin, url, headers);
  return { status: response.statusCode!, headers: response.headers, body: await buffer(response) };
}

/** The answer's head; its body is not read yet. */
export async function openAnswer(
  origin: Origin,
  url: string,
  headers: OutgoingHttpHeaders = {},
): Promise<IncomingMessage> {
  const request = url.startsWith('https:')
    ? httpsGet(url, { ca: origin.authorityCertificate, agent: new HttpsAgent({ keepAlive: false }), headers })
    : httpGet(url, { agent: new HttpAgent({ keepAlive: false }), headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** An HTTP/2 connection; the caller closes it. */
export function openHttp2(origin: Origin): ClientHttp2Session {
  return connectHttp2(origin.http2Url, { ca: origin.authorityCertificate });
}

/** One GET over an HTTP/2 connection. Rejects when the stream is reset. */
export async function askHttp2(session: ClientHttp2Session, path: string): Promise<Answer> {
  const stream = session.request({ ':path': path });
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }];
  return { status: headers[':status'], headers, body: await buffer(stream) };
}
