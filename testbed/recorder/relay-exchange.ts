import { once } from 'node:events';
import { Agent, request as sendHttp1, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  connect as connectHttp2,
  constants,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { setImmediate as setImmediateAsync } from 'node:timers/promises';
import { mostHeaders } from '#core/site/site.ts';
import { maxHeaderSize, type AnyRequest, type AnyResponse } from '../origin/create-server.ts';
import type { Headers, OpenExchange } from './recording.ts';
import type { Upstream } from './upstream.ts';

/** As large as Chrome's, so that the recorder holds no answer back. */
const windowBytes = 16 * 1024 * 1024;
/** Of one connection: HTTP/2 has other means. https://www.rfc-editor.org/rfc/rfc9113#section-8.2.2 */
const hopByHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** Sends requests over one connection to a server. */
export interface Sender {
  /** `onAnswer`: as soon as the head of the answer is there; `onHint`: with the links of a 103 before it, over HTTP/2, as browsers use no others. */
  send(
    request: AnyRequest,
    options: { signal: AbortSignal; onAnswer: () => void; onHint: (links: string[]) => void },
  ): Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Readable;
  /** Whether the server has sent all of it, read or not. */
  isWhole(): boolean;
  /** Once the body has ended. Throws where it is not whole. */
  readTrailers(): Headers;
}

/** Passes a request on, and its answer back, while both are recorded. What fails ends the browser's request as the server's failure would. */
export async function relayExchange(
  sender: Sender,
  {
    request,
    response,
    exchange,
    ending,
  }: { request: AnyRequest; response: AnyResponse; exchange: OpenExchange | null; ending: AbortSignal },
): Promise<void> {
  let open = exchange;
  let answer: Answer | null = null;
  const gone = new AbortController();
  const closed = new AbortController();
  // What the server has sent whole is recorded, though the browser may have closed the connection after its last byte.
  const end = () => {
    closed.abort();
    if (!answer?.isWhole()) gone.abort(new Error('the browser ended it before'));
  };
  // Of a redirect or an error, a browser may want no more than the head.
  const giveUp = () => (answer !== null && answer.status >= 300 ? closed.abort() : end());
  response.once('close', giveUp).once('error', giveUp);
  ending.addEventListener('abort', end);
  try {
    // Node writes what was asked for once it has taken all that has arrived.
    request.on('data', (part: Buffer) => open?.addSent(part)).once('end', () => setImmediate(() => open?.noteSent()));
    const onHint = (links: string[]) => {
      if (passHint(response, links)) open?.addHint(links);
    };
    answer = await sender.send(request, { signal: gone.signal, onAnswer: () => open?.noteAnswer(), onHint });
    answer.body.on('error', () => undefined); // thrown where it is read
    // Answers that have arrived together are all noted before the work on any of them.
    await setImmediateAsync();
    open?.takeHead(answer.status, answer.headers);
    writeHead(response, answer);
    for await (const part of answer.body as AsyncIterable<Buffer>) {
      const kept = open?.add(part);
      await Promise.all([kept, passOn(response, { part, closed: closed.signal })]);
    }
    const trailers = answer.readTrailers();
    await open?.end(trailers);
    open = null;
    if (trailers.length > 0) response.addTrailers(Object.fromEntries(trailers));
    response.end();
  } catch (error) {
    await open?.fail((error as Error).message);
    // Without a code, what has come would look like a whole answer.
    if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    else response.destroy();
  } finally {
    ending.removeEventListener('abort', end);
  }
}

/** Resolves as soon as there is room for more, or the browser wants no more. */
async function passOn(response: AnyResponse, { part, closed }: { part: Buffer; closed: AbortSignal }): Promise<void> {
  if (closed.aborted || (response as ServerResponse).write(part)) return;
  const drained = once(response, 'drain', { signal: closed });
  await drained.catch(() => null); // it was closed
}

/** Whether the browser was sent it: it may have gone, or speak HTTP/1.1. */
function passHint(response: AnyResponse, links: readonly string[]): boolean {
  if (!('stream' in response) || response.stream.destroyed || response.stream.headersSent) return false;
  response.stream.additionalHeaders({ ':status': 103, link: links.join(', ') });
  return true;
}

function writeHead(response: AnyResponse, { status, headers }: Answer): void {
  const kept = 'stream' in response ? headers.filter(([name]) => !hopByHop.has(name.toLowerCase())) : headers;
  const values = Map.groupBy(kept, ([name]) => name.toLowerCase());
  for (const [name, fields] of values)
    response.setHeader(name, fields.length === 1 ? fields[0]![1] : fields.map(([, value]) => value));
  response.sendDate = false;
  (response as ServerResponse).writeHead(status);
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
    async send(request, { signal, onAnswer }) {
      const outgoing = sendHttp1({
        agent,
        method: request.method,
        path: request.url,
        headers: request.rawHeaders,
        setHost: false,
        maxHeaderSize,
        signal,
      });
      outgoing.on('error', () => undefined); // thrown where it is waited for
      outgoing.once('response', onAnswer);
      request.pipe(outgoing);
      const [body] = (await once(outgoing, 'response', { signal })) as [IncomingMessage];
      outgoing.on('error', (error) => body.destroy(error));
      return {
        status: body.statusCode!,
        headers: pairUp(body.rawHeaders),
        body,
        isWhole: () => body.complete,
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
    async send(request, { signal, onAnswer, onHint }) {
      const stream = session.request({ ...request.headers }, { endStream: isWithoutBody(request), signal });
      stream.on('error', () => undefined); // thrown where it is waited for and read
      stream.once('response', onAnswer);
      stream.on('headers', ({ ':status': status, link }: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
        const links = status === 103 ? readLinks(String(link ?? '')) : [];
        if (links.length > 0) onHint(links);
      });
      let trailers: Headers = [];
      stream.on('trailers', (_headers, _flags, raw: string[]) => (trailers = pairUp(raw)));
      if (!isWithoutBody(request)) request.pipe(stream);
      else request.resume();
      const [headers, , raw] = (await once(stream, 'response', { signal })) as [IncomingHttpHeaders, number, string[]];
      return {
        status: Number(headers[':status']),
        headers: pairUp(raw),
        // A stream of Node that nobody reads at once may be closed before it is read.
        body: pipeline(stream, new PassThrough(), () => undefined), // the reader gets the error
        isWhole: () => (stream.closed ? stream.rstCode === constants.NGHTTP2_NO_ERROR : stream.state.remoteClose === 1),
        readTrailers: () => {
          // One that was broken off ends like any other, but for its code.
          if (stream.rstCode !== constants.NGHTTP2_NO_ERROR)
            throw new Error(`its stream was reset with code ${stream.rstCode}`);
          return trailers;
        },
      };
    },
  };
}

/** Each link by itself. A comma may be in an address or a parameter, and none of these begins with `<`. */
function readLinks(header: string): string[] {
  return header
    .split(/,\s*(?=<)/)
    .map((link) => link.trim())
    .filter((link) => link !== '')
    .slice(0, mostHeaders);
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
