import { findHeader, listPairs, withoutHop } from '../exchange/header-list.ts';
import { isSafe, type RequestHead, type AnswerHead } from '../exchange/heads.ts';
import { joinSocket, writeOrWait } from '../exchange/join-socket.ts';
import { pack } from '../exchange/pack.ts';
import { encodeRecord, recordTypes, type ExchangeRecord } from '../exchange/read-records.ts';
import { MessageError, type StatusLine } from '../http/message-head.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import type { AnswerScan } from './bundle/page-bundle.ts';
import type { AnswerPacker, PackedAnswer } from './compress/answer-packer.ts';
import { type OriginConnection, type OriginConnections, RefusedAddressError } from './origin-connections.ts';
import { pseudonym, readAnswer, sendRequest, type OriginAnswer } from './origin-request.ts';
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

export interface Exchange {
  stream: TunnelStream;
  head: RequestHead;
  /** The records after the head. */
  records: AsyncIterator<ExchangeRecord>;
  origins: OriginConnections;
  packer: AnswerPacker;
  /** Looks for objects in the answer; null for not at all. An unwanted answer is not sent. */
  chooseScan: (answer: OriginAnswer) => AnswerScan | 'unwanted' | null;
  count: CountOfUser;
}

/** Asks the origin, and streams the answer as it comes. Resolves when the stream is over. */
export async function serveRequest(exchange: Exchange): Promise<void> {
  const { stream, head } = exchange;
  if (listVia(head).some((each) => each.split(' ')[1] === pseudonym)) {
    const body = Buffer.from('HTTPEP: this proxy asks itself\n');
    const headers = [...listErrorHeaders(body), 'Proxy-Status', 'httpep; error=proxy_loop_detected'];
    stream.write(encodeRecord(recordTypes.head, pack({ status: 508, reason: 'Loop Detected', headers })));
    stream.end(encodeRecord(recordTypes.body, body), () => stream.destroy());
    return;
  }
  try {
    // A kept connection may turn out to be closed. RFC 9110, 9.2.2.
    await ask(exchange, isSafe(head) && !head.hasBody && !head.isUpgrade);
  } catch (error) {
    if (stream.destroyed) return;
    exchange.count('failed');
    const failure = describeFailure(error as Error);
    stream.write(encodeRecord(recordTypes.head, pack(failure.head)));
    stream.end(encodeRecord(recordTypes.body, failure.body), () => stream.destroy());
  }
}

function listVia({ headers }: RequestHead): string[] {
  return listPairs(headers)
    .filter(([name]) => name.toLowerCase() === 'via')
    .flatMap(([, value]) => value.split(','))
    .map((each) => each.trim());
}

/** Sends the request, and the answer as it comes. Rejects with what prevented an answer. */
export async function ask(exchange: Exchange, mayRepeat: boolean, isFresh = false): Promise<void> {
  const { stream, head, records, origins, count } = exchange;
  const startMs = performance.now();
  const connection = await origins.take(head, { isFresh });
  const { socket } = connection.reader;
  let isReusable = false;
  const giveUp = () => socket.destroy();
  if (stream.destroyed) giveUp();
  stream.once('close', giveUp);
  try {
    const sending = sendRequest(socket, { head, records });
    const answer = await readAnswer(connection.reader, {
      head,
      onInformation: ({ status, reason, headers }) =>
        void stream.write(encodeRecord(recordTypes.information, pack({ status, reason, headers }))),
    });
    count('originWaitMs', performance.now() - startMs);
    if (answer.droppedCount > 0) count('droppedFields', answer.droppedCount);
    if (answer.status === 101) {
      stream.off('close', giveUp);
      await sendUpgrade(connection, { exchange, answer });
      return;
    }
    const hasEnded = await sendAnswer(answer, exchange);
    isReusable = hasEnded && answer.mayFollow && sending.isComplete;
  } catch (error) {
    // A connection that was kept may have been closed meanwhile.
    const isStale = connection.isReused && connection.reader.bytes.length === 0 && !(error instanceof MessageError);
    if (!mayRepeat || !isStale || stream.destroyed) throw error;
    connection.release(false); // others of the user that ask again wait for its place
    await ask(exchange, mayRepeat, true);
  } finally {
    stream.off('close', giveUp);
    connection.release(isReusable);
  }
}

async function sendUpgrade(
  { reader }: OriginConnection,
  { exchange: { stream, records }, answer }: { exchange: Exchange; answer: StatusLine },
): Promise<void> {
  const { status, reason, headers } = answer;
  stream.write(encodeRecord(recordTypes.head, pack({ status, reason, headers })));
  reader.giveBack();
  await joinSocket(reader.socket, { stream, records });
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
      headers: [...listErrorHeaders(body), 'Proxy-Status', `httpep; error=${type}`],
    },
    body,
  };
}

function listErrorHeaders(body: Buffer): string[] {
  return ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(body.length)];
}

/** Sends an answer as it comes. Resolves when it is over: to whether all of it came. */
async function sendAnswer(
  answer: OriginAnswer,
  { head, stream, packer, chooseScan, count }: Exchange,
): Promise<boolean> {
  const scan = chooseScan(answer);
  if (scan === 'unwanted') {
    stream.end(() => stream.destroy());
    return false;
  }
  const { status, reason, body, version } = answer;
  stream.flow.rank = Math.min(stream.flow.rank, rankOf(answer)) as Rank;
  sendPromise(stream, scan);
  using packed = await packer.pack(head, answer);
  // RFC 9110, 6.6.1: the time at which it was received, for who reckons its age.
  const date = findHeader(packed.headers, 'date') === null ? ['Date', new Date().toUTCString()] : [];
  const headers = [...packed.headers, ...date, 'Via', `${version} ${pseudonym}`];
  stream.write(encodeRecord(recordTypes.head, pack({ status, reason, headers, coding: packed.coding })));
  try {
    countPacking(packed, count);
    await sendPacked(packed, { stream, scan, count });
    if (stream.destroyed) return false;
    const trailers = withoutHop(body.trailers);
    if (trailers.length > 0) stream.write(encodeRecord(recordTypes.trailers, pack(trailers)));
  } catch {
    // The origin broke its answer off, and so does the proxy.
    stream.write(encodeRecord(recordTypes.abort));
  } finally {
    scan?.destroy();
  }
  stream.end(() => stream.destroy());
  return body.isComplete;
}

/** What a chunk names is promised before it. */
async function sendPacked(
  { body, coder, lossyOf }: PackedAnswer,
  { stream, scan, count }: Pick<Exchange, 'stream' | 'count'> & { scan: AnswerScan | null },
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

function rankOf({ headers }: OriginAnswer): Rank {
  const type = findHeader(headers, 'content-type') ?? '';
  if (/^(text\/html|application\/xhtml\+xml)/i.test(type)) return ranks.page;
  return /^(text\/css|(text|application)\/javascript)/i.test(type) ? ranks.blocking : ranks.other;
}

/** Counts something of the user that asks. */
export type CountOfUser = (name: GroundUserCounter, by?: number) => void;
