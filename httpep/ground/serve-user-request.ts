import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { findHeader, joinHeader, listValues, withoutHeaders } from '#core/http1/header-list.ts';
import { isSafe, keepTrailers, withoutHop, type RequestHead, type AnswerHead } from '../exchange/heads.ts';
import { joinSocket, stillMs, untilClosed, writeOrWait } from '../exchange/join-socket.ts';
import { pack } from '../exchange/pack.ts';
import { encodeRecord, recordTypes, type ExchangeRecord } from '../exchange/read-records.ts';
import { MessageError, type StatusLine } from '#core/http1/message-head.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import type { AnswerScan } from './bundle/page-bundle.ts';
import type { AnswerPacker, PackedAnswer } from './compress/answer-packer.ts';
import { RefusedAddressError } from './name-lookups.ts';
import type { OriginConnection, OriginConnections } from './origin-connections.ts';
import { addVia, pseudonym, readAnswer, sendRequest, type OriginAnswer, type Sending } from './origin-request.ts';
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
  if (listValues(head.headers, 'via').some((each) => each.split(/[ \t]+/)[1] === pseudonym)) {
    const body = Buffer.from('HTTPEP: this proxy asks itself\n');
    const headers = [...listErrorHeaders(body), 'Proxy-Status', 'httpep; error=proxy_loop_detected'];
    stream.write(encodeRecord(recordTypes.head, pack({ status: 508, reason: 'Loop Detected', headers })));
    stream.end(encodeRecord(recordTypes.body, body), () => stream.destroy());
    return;
  }
  try {
    await ask(exchange, isSafe(head) && !head.hasBody && !head.isUpgrade);
  } catch (error) {
    if (stream.destroyed) return;
    exchange.count('failed');
    const failure = describeFailure(error as Error);
    stream.write(encodeRecord(recordTypes.head, pack(failure.head)));
    stream.end(encodeRecord(recordTypes.body, failure.body), () => stream.destroy());
  }
}

/**
 * Sends the request, and the answer as it comes. Rejects with what prevented an answer. A connection that was kept may turn out to be closed: what may not be
 * sent again has a new one. RFC 9110, 9.2.2.
 */
export async function ask(exchange: Exchange, mayRepeat: boolean): Promise<void> {
  const { stream, head, records, origins, count } = exchange;
  const startMs = performance.now();
  const connection = await origins.take(head, { isFresh: !mayRepeat });
  const { socket } = connection.reader;
  let isReusable = false;
  let informationCount = 0;
  // A stream that has ended both ways is over, but what came by it may not have been sent on.
  const giveUp = () => {
    if (!stream.readableEnded || !stream.writableFinished) socket.destroy();
  };
  if (stream.destroyed) giveUp();
  stream.once('close', giveUp);
  try {
    const sending = sendRequest(socket, { head, records });
    const answer = await readAnswer(connection.reader, {
      head,
      onInformation: async ({ status, reason, headers }) => {
        informationCount += 1;
        await writeOrWait(stream, encodeRecord(recordTypes.information, pack({ status, reason, headers })));
      },
    });
    count('originWaitMs', performance.now() - startMs);
    if (answer.droppedCount > 0) count('droppedFields', answer.droppedCount);
    if (answer.status === 408 && connection.isReused && mayRepeat && informationCount === 0)
      throw new GivenUpError('it waited too long');
    if (answer.status === 101) {
      // What is left of the request is still HTTP: RFC 9110, 7.8.
      await untilSent(sending, socket);
      if (!sending.isComplete) throw new MessageError(400, 'it switched, and did not take all of the request');
      stream.off('close', giveUp);
      await sendUpgrade(connection, { exchange, answer });
      return;
    }
    const hasEnded = await sendAnswer(answer, exchange);
    if (hasEnded && !sending.isComplete) {
      stream.end();
      await untilSent(sending, socket);
    }
    isReusable = hasEnded && answer.mayFollow && sending.isComplete;
    stream.end(() => stream.destroy());
  } catch (error) {
    const isSilent = connection.reader.bytes.length === 0 && !(error instanceof MessageError);
    const isStale = error instanceof GivenUpError || (connection.isReused && isSilent);
    // What has begun to be answered would be answered twice.
    if (!mayRepeat || informationCount > 0 || !isStale || stream.destroyed) throw error;
    connection.release(false); // others of the user that ask again wait for its place
    await ask(exchange, false);
  } finally {
    stream.off('close', giveUp);
    connection.release(isReusable);
  }
}

/** The web server gave a kept connection up when the request was on its way, and says so: RFC 9110, 15.5.9. */
class GivenUpError extends Error {}

/** A web server may read on behind its answer. Resolves when it has all of the request, or takes no more. */
async function untilSent(sending: Sending, socket: Duplex): Promise<void> {
  if (sending.isComplete) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('close', resolve);
  if (!socket.destroyed) await Promise.race([sending.over, promise]);
  socket.off('close', resolve);
}

async function sendUpgrade(
  { reader }: OriginConnection,
  { exchange: { stream, records }, answer }: { exchange: Exchange; answer: StatusLine },
): Promise<void> {
  const { status, reason, version } = answer;
  const kept = withoutHeaders(withoutHop(answer.headers), ['content-length']);
  const headers = [...addVia(kept, version), ...listUpgrade(answer)];
  stream.write(encodeRecord(recordTypes.head, pack({ status, reason, headers })));
  // It may be silent for long, as WebSockets are.
  (reader.socket as Socket).setTimeout(0).setKeepAlive(true, stillMs);
  const rest = reader.take(reader.bytes.length);
  if (rest.length > 0) stream.write(encodeRecord(recordTypes.body, rest));
  reader.giveBack();
  await joinSocket(reader.socket, { stream, records });
  // What was written last is still on its way.
  await untilClosed(reader.socket);
}

/** The protocols that an answer switches to, or that it wants: RFC 9110, 7.8 and 15.5.22. In others they are an offer to this proxy. */
function listUpgrade({ status, headers }: StatusLine): string[] {
  const upgrade = status === 101 || status === 426 ? joinHeader(headers, 'upgrade') : null;
  return upgrade === null ? [] : ['Connection', 'Upgrade', 'Upgrade', upgrade];
}

/** The answer to a request that the origin did not answer. `Proxy-Status`: RFC 9209. */
function describeFailure(error: Error & { code?: string }): { head: AnswerHead; body: Buffer } {
  const isRefused = error instanceof RefusedAddressError;
  const { status, type } = isRefused
    ? { status: 403 as const, type: 'destination_ip_prohibited' }
    : (known[error.code ?? ''] ?? { status: 502 as const, type: 'http_protocol_error' });
  const body = Buffer.from(
    // Where a name has several addresses, the error of them together has a code alone.
    `HTTPEP: ${isRefused ? error.message : `the web server did not answer (${error.message || error.code})`}\n`,
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
  const date = ['Date', new Date().toUTCString()];
  return ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(body.length), ...date];
}

/** Sends an answer as it comes, and leaves the stream open. Resolves when it is over: to whether all of it came. */
async function sendAnswer(
  answer: OriginAnswer,
  { head, stream, packer, chooseScan, count }: Exchange,
): Promise<boolean> {
  const scan = chooseScan(answer);
  if (scan === 'unwanted') return false;
  const { status, reason, body, version, codings } = answer;
  stream.flow.rank = Math.min(stream.flow.rank, rankOf(answer)) as Rank;
  sendPromise(stream, scan);
  using packed = await packer.pack(head, answer);
  // RFC 9110, 6.6.1: the time at which it was received, for who reckons its age.
  const date = findHeader(packed.headers, 'date') === null ? ['Date', new Date().toUTCString()] : [];
  const coded = codings.length > 0 ? ['Transfer-Encoding', codings.join(', ')] : [];
  const headers = [...addVia([...packed.headers, ...date], version), ...listUpgrade(answer), ...coded];
  stream.write(encodeRecord(recordTypes.head, pack({ status, reason, headers, coding: packed.coding })));
  try {
    countPacking(packed, count);
    await sendPacked(packed, { stream, scan, count });
    if (stream.destroyed) return false;
    const trailers = keepTrailers(body.trailers);
    if (trailers.length > 0) stream.write(encodeRecord(recordTypes.trailers, pack(trailers)));
  } catch {
    // The origin broke its answer off, and so does the proxy.
    stream.write(encodeRecord(recordTypes.abort));
  } finally {
    scan?.destroy();
  }
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
