import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { listPairs } from '../exchange/header-list.ts';
import { TrailersSchema, type RequestHead } from '../exchange/heads.ts';
import { joinSocket } from '../exchange/join-socket.ts';
import { pack, unpack } from '../exchange/pack.ts';
import { encodeRecord, recordTypes, type ExchangeRecord } from '../exchange/record.ts';
import { writeOrWait } from '../exchange/write-or-wait.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import type { AnswerScan } from './bundle/answer-scan.ts';
import type { AnswerPacker } from './compress/answer-packer.ts';
import type { CountOfUser } from './count-of-user.ts';
import { describeFailure } from './describe-failure.ts';
import type { OriginRequests } from './origin-request.ts';
import { sendAnswer } from './send-answer.ts';

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
