import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { listPairs } from '../exchange/header-list.ts';
import { TrailersSchema, type RequestHead, type AnswerHead } from '../exchange/heads.ts';
import { joinSocket, writeOrWait } from '../exchange/join-socket.ts';
import { pack, unpack } from '../exchange/pack.ts';
import { encodeRecord, recordTypes, type ExchangeRecord } from '../exchange/read-records.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import type { AnswerScan } from './bundle/page-bundle.ts';
import type { AnswerPacker, PackedAnswer } from './compress/answer-packer.ts';
import { type OriginRequests, RefusedAddressError } from './origin-request.ts';
import { ranks, type Rank } from '../scheduler/flow.ts';
import type { GroundUserCounter } from '../counters/counter-help.ts';

/** By the code of Node's error: status, and the type of RFC 9209. */
const known: Record<string, { status: 502 | 504; type: string }> = {
  ENOTFOUND: { status: 502, type: 'dns_error' },
  EAI_AGAIN: { status: 504, type: 'dns_timeout' },
  ECONNREFUSED: { status: 502, type: 'connection_refused' },
  ECONNRESET: { status: 502, type: 'connection_terminated' },
  EPIPE: { status: 502, type: 'connection_terminated' },
  ENETUNREACH: { status: 502, type: 'destination_ip_unroutable' },
  EHOSTUNREACH: { status: 502, type: 'destination_ip_unroutable' },
  ETIMEDOUT: { status: 504, type: 'connection_timeout' },
};

const reasons = { 403: 'Forbidden', 502: 'Bad Gateway', 504: 'Gateway Timeout' };

/** What answers without a body may be asked again when a kept connection turns out to be closed. RFC 9110, 9.2.2. */
const repeatable = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

export interface Exchange {
  stream: TunnelStream;
  head: RequestHead;
  /** The records after the head. */
  records: AsyncIterator<ExchangeRecord>;
  origins: OriginRequests;
  packer: AnswerPacker;
  /** Looks for objects in the answer; null for not at all. An unwanted answer is not sent. */
  chooseScan: (response: IncomingMessage) => AnswerScan | 'unwanted' | null;
  count: CountOfUser;
}

/** Asks the origin, and streams the answer as it comes. Resolves when the stream is over. */
export async function serveRequest(exchange: Exchange): Promise<void> {
  const { stream, head } = exchange;
  if (listVia(head).some((each) => /(^|\s)httpep\b/.test(each))) {
    answerLocally(stream, { status: 508, reason: 'Loop Detected', text: 'HTTPEP: this proxy asks itself' });
    return;
  }
  try {
    await ask(exchange, repeatable.includes(head.method) && !head.hasBody && !head.isUpgrade);
  } catch (error) {
    if (stream.destroyed) return;
    exchange.count('failed');
    const failure = describeFailure(error as Error);
    stream.write(encodeRecord(recordTypes.head, pack(failure.head)));
    stream.end(encodeRecord(recordTypes.body, failure.body));
  }
}

function listVia({ headers }: RequestHead): string[] {
  return listPairs(headers)
    .filter(([name]) => name.toLowerCase() === 'via')
    .flatMap(([, value]) => value.split(','));
}

function answerLocally(
  stream: Duplex,
  { status, reason, text }: { status: number; reason: string; text: string },
): void {
  stream.write(encodeRecord(recordTypes.head, pack({ status, reason, headers: ['Content-Type', 'text/plain'] })));
  stream.end(encodeRecord(recordTypes.body, Buffer.from(`${text}\n`)));
}

/** Sends the request, and the answer as it comes. Rejects with what prevented an answer. */
export function ask(exchange: Exchange, mayRepeat: boolean): Promise<void> {
  const { stream, head, records, origins, packer, chooseScan, count } = exchange;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = origins.begin(head);
  const giveUp = () => request.destroy();
  stream.once('close', giveUp);
  let hasAnswer = false;
  const startMs = performance.now();
  request.on('information', (information) => {
    const { statusCode: status, statusMessage: reason, rawHeaders } = information;
    if (!hasAnswer) stream.write(encodeRecord(recordTypes.information, pack({ status, reason, headers: rawHeaders })));
  });
  request.on('response', (response) => {
    hasAnswer = true;
    count('originWaitMs', performance.now() - startMs);
    const scan = chooseScan(response);
    if (scan === 'unwanted') {
      request.destroy();
      stream.end(() => stream.destroy());
      resolve();
      return;
    }
    resolve(sendAnswer(response, { head, stream, scan, packer, count }));
  });
  request.on('upgrade', (response, socket, first) => {
    hasAnswer = true;
    stream.off('close', giveUp);
    resolve(sendUpgrade(exchange, { response, socket, first }));
  });
  request.on('error', (error: Error & { code?: string }) => {
    if (hasAnswer || stream.destroyed) {
      resolve();
      return;
    }
    stream.off('close', giveUp);
    const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    if (mayRepeat && isStale) resolve(ask(exchange, mayRepeat));
    else reject(error);
  });
  if (head.hasBody) void passBody(request, records);
  else request.end();
  if (!head.hasBody && !head.isUpgrade) void readToEnd(records);
  return promise;
}

/** Nothing comes but the end, which lets the stream end without a word more. */
async function readToEnd(records: AsyncIterator<ExchangeRecord>): Promise<void> {
  try {
    while (!(await records.next()).done);
  } catch {
    // The stream was given up, which its end shows.
  }
}

async function passBody(request: ClientRequest, records: AsyncIterator<ExchangeRecord>): Promise<void> {
  // The head goes out at once. `flushHeaders` would write UTF-8.
  request.write('', 'latin1');
  try {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      const { type, bytes } = next.value;
      if (request.destroyed || request.writableEnded) return;
      if (type === recordTypes.body) await writeOrWait(request, bytes);
      if (type === recordTypes.trailers) request.addTrailers(listPairs(unpack(bytes, TrailersSchema)));
      if (type === recordTypes.abort) throw new Error('The browser broke its request off');
    }
    request.end();
  } catch (error) {
    request.destroy(error as Error);
  }
}

interface Upgraded {
  response: IncomingMessage;
  socket: Duplex;
  first: Buffer;
}

async function sendUpgrade({ stream, records }: Exchange, { response, socket, first }: Upgraded): Promise<void> {
  const { statusCode: status, statusMessage: reason, rawHeaders: headers } = response;
  stream.write(encodeRecord(recordTypes.head, pack({ status, reason, headers })));
  socket.unshift(first);
  await joinSocket(socket, { stream, records });
}

/** The answer to a request that the origin did not answer. `Proxy-Status`: RFC 9209. */
function describeFailure(error: Error & { code?: string }): { head: AnswerHead; body: Buffer } {
  const isRefused = error instanceof RefusedAddressError;
  const { status, type } = isRefused
    ? { status: 403 as const, type: 'destination_ip_prohibited' }
    : (known[error.code ?? ''] ?? { status: 502 as const, type: 'http_protocol_error' });
  const body = Buffer.from(
    `HTTPEP: ${isRefused ? error.message : `the web server did not answer (${error.message})`}\n`,
  );
  return {
    head: {
      status,
      reason: reasons[status],
      headers: [
        ...['Content-Type', 'text/plain; charset=utf-8'],
        ...['Content-Length', String(body.length)],
        ...['Proxy-Status', `httpep; error=${type}`],
      ],
    },
    body,
  };
}

interface Answered {
  head: RequestHead;
  stream: TunnelStream;
  /** Looks for objects in the answer; null for not at all. */
  scan: AnswerScan | null;
  packer: AnswerPacker;
  count: CountOfUser;
}

/** Sends an answer as it comes. Resolves when it is over. */
async function sendAnswer(response: IncomingMessage, { head, stream, scan, packer, count }: Answered): Promise<void> {
  const { statusCode: status, statusMessage: reason } = response;
  stream.flow.rank = Math.min(stream.flow.rank, rankOf(response)) as Rank;
  sendPromise(stream, scan);
  const answer = await packer.pack(head, response);
  stream.write(
    encodeRecord(recordTypes.head, pack({ status, reason, headers: answer.headers, coding: answer.coding })),
  );
  try {
    countPacking(answer, count);
    await sendBody(answer, { stream, scan, count });
    if (stream.destroyed) return;
    if (response.rawTrailers.length > 0) {
      stream.write(encodeRecord(recordTypes.trailers, pack(response.rawTrailers)));
    }
  } catch {
    // The origin broke its answer off, and so does the proxy.
    stream.write(encodeRecord(recordTypes.abort));
  } finally {
    answer.coder?.[Symbol.dispose]();
    scan?.destroy();
  }
  stream.end(() => stream.destroy());
}

/** What a chunk names is promised before it. */
async function sendBody(
  { body, coder, lossyOf }: PackedAnswer,
  { stream, scan, count }: Pick<Answered, 'stream' | 'scan' | 'count'>,
): Promise<void> {
  const sendBytes = async (bytes: Buffer) => {
    count('tunnelBytes', bytes.length);
    await writeOrWait(stream, encodeRecord(recordTypes.body, bytes));
  };
  const sendAll = async (pieces: AsyncIterable<Buffer>) => {
    for await (const bytes of pieces) await sendBytes(bytes);
  };
  const send = (chunk: Buffer) => (coder ? sendAll(coder.put(chunk)) : sendBytes(chunk));
  let last: Buffer | null = null;
  for await (const chunk of body) {
    if (stream.destroyed) return;
    if (!lossyOf) count('originBytes', chunk.length);
    await scan?.write(chunk);
    sendPromise(stream, scan);
    if (last) await send(last);
    last = scan?.holdsLast ? chunk : null;
    if (!last) await send(chunk);
  }
  await scan?.end();
  sendPromise(stream, scan);
  if (last) await send(last);
  if (coder) await sendAll(coder.end());
}

function countPacking({ coder, lossyOf }: PackedAnswer, count: CountOfUser): void {
  if (coder) count('texts');
  if (!lossyOf) return;
  count('lossyImages');
  count('originBytes', lossyOf.originalBytes);
  count('lossyOriginalBytes', lossyOf.originalBytes);
  count('lossyBytes', lossyOf.bytes);
}

function sendPromise(stream: TunnelStream, scan: AnswerScan | null): void {
  for (let promised = scan?.take(); promised; promised = scan?.take())
    stream.write(encodeRecord(recordTypes.promise, pack(promised)));
}

function rankOf({ headers }: IncomingMessage): Rank {
  const type = headers['content-type'] ?? '';
  if (/^(text\/html|application\/xhtml\+xml)/i.test(type)) return ranks.page;
  return /^(text\/css|(text|application)\/javascript)/i.test(type) ? ranks.blocking : ranks.other;
}

/** Counts something of the user that asks. */
export type CountOfUser = (name: GroundUserCounter, by?: number) => void;
