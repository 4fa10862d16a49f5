import { once } from 'node:events';
import { Agent, request as sendHttp1, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AnyRequest, AnyResponse } from '../origin/create-server.ts';
import type { Headers, OpenExchange } from './recording.ts';
import type { Upstream } from './upstream.ts';

/** Of one message; browsers refuse more. */
export const maxHeaderSize = 256 * 1024;
/** As large as Chrome's, so that the recorder holds no answer back. */
const windowBytes = 16 * 1024 * 1024;
/** Of one connection: HTTP/2 has other means. https://www.rfc-editor.org/rfc/rfc9113#section-8.2.2 */
const hopByHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** Sends requests over one connection to a server. */
export interface Sender {
  send(request: AnyRequest, signal: AbortSignal): Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Readable;
  /** Once the body has ended. */
  readTrailers(): Headers;
}

/** Passes a request on, and its answer back, while both are recorded. What fails ends the browser's request as the server's failure would. */
export async function relayExchange(
  sender: Sender,
  { request, response, exchange }: { request: AnyRequest; response: AnyResponse; exchange: OpenExchange | null },
): Promise<void> {
  let isRecorded = false;
  const gone = new AbortController();
  const giveUp = () => gone.abort(new Error('the browser gave it up'));
  response.once('close', giveUp);
  try {
    request.on('data', (part: Buffer) => exchange?.addSent(part)).once('end', () => exchange?.noteSent());
    const answer = await sender.send(request, gone.signal);
    exchange?.noteAnswer(answer.status, answer.headers);
    writeHead(response, answer);
    const record = async function* (parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        await exchange?.add(part);
        yield part;
      }
      const trailers = answer.readTrailers();
      await exchange?.end(trailers);
      isRecorded = true;
      addTrailers(response, trailers);
      response.off('close', giveUp);
    };
    await pipeline(answer.body, record, response as NodeJS.WritableStream);
  } catch (error) {
    if (!isRecorded) await exchange?.fail((error as Error).message);
    if ('stream' in response) response.stream.destroy();
    else response.destroy();
  }
}

function writeHead(response: AnyResponse, { status, headers }: Answer): void {
  const kept = 'stream' in response ? headers.filter(([name]) => !hopByHop.has(name.toLowerCase())) : headers;
  const values = Map.groupBy(kept, ([name]) => name.toLowerCase());
  for (const [name, fields] of values)
    response.setHeader(name, fields.length === 1 ? fields[0]![1] : fields.map(([, value]) => value));
  response.sendDate = false;
  (response as ServerResponse).writeHead(status);
}

function addTrailers(response: AnyResponse, trailers: Headers): void {
  if (trailers.length > 0) response.addTrailers(Object.fromEntries(trailers));
}

/** One request after the other, as browsers send them. */
export function openHttp1Sender({ socket }: Upstream): Sender {
  class OneConnection extends Agent {
    override createConnection() {
      return socket;
    }
  }
  const agent = new OneConnection({ keepAlive: true, maxSockets: 1 });
  return {
    async send(request, signal) {
      const outgoing = sendHttp1({
        agent,
        method: request.method,
        path: request.url,
        headers: request.rawHeaders,
        setHost: false,
        maxHeaderSize,
        signal,
      });
      request.pipe(outgoing);
      const [body] = (await once(outgoing, 'response')) as [IncomingMessage];
      outgoing.on('error', (error) => body.destroy(error));
      return {
        status: body.statusCode!,
        headers: pairUp(body.rawHeaders),
        body,
        readTrailers: () => pairUp(body.rawTrailers),
      };
    },
  };
}

/** Many requests at a time. */
export async function openHttp2Sender(
  { socket }: Upstream,
  signal: AbortSignal,
): Promise<Sender & { session: ClientHttp2Session }> {
  const session = connectHttp2('https://recorded', {
    createConnection: () => socket,
    settings: { initialWindowSize: windowBytes, enablePush: false },
    maxHeaderListPairs: 1000,
    // In megabytes, of streams that the browser is slow to read.
    maxSessionMemory: 1000,
  });
  await once(session, 'connect', { signal });
  session.setLocalWindowSize(windowBytes);
  session.on('error', () => session.destroy());
  return {
    session,
    async send(request, signal) {
      const stream = session.request({ ...request.headers }, { endStream: isWithoutBody(request), signal });
      let trailers: Headers = [];
      stream.on('trailers', (_headers, _flags, raw: string[]) => (trailers = pairUp(raw)));
      if (!isWithoutBody(request)) request.pipe(stream);
      else request.resume();
      const [headers, , raw] = (await once(stream, 'response')) as [IncomingHttpHeaders, number, string[]];
      return { status: Number(headers[':status']), headers: pairUp(raw), body: stream, readTrailers: () => trailers };
    },
  };
}

function isWithoutBody(request: AnyRequest): boolean {
  return 'stream' in request && request.stream.endAfterHeaders;
}

/** As names and values follow each other; without what HTTP/2 writes like a header. */
export function pairUp(raw: readonly string[]): Headers {
  return raw.flatMap((name, index): Headers =>
    index % 2 === 1 || name.startsWith(':') ? [] : [[name, raw[index + 1]!]],
  );
}
