import type { IncomingMessage } from 'node:http';
import type { RequestHead } from '../exchange/heads.ts';
import { pack } from '../exchange/pack.ts';
import { encodeRecord, recordTypes } from '../exchange/record.ts';
import { writeOrWait } from '../exchange/write-or-wait.ts';
import { ranks, type Rank } from '../scheduler/flow.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import type { AnswerScan } from './bundle/answer-scan.ts';
import type { AnswerPacker, PackedAnswer } from './compress/answer-packer.ts';
import type { CountOfUser } from './count-of-user.ts';

interface Answered {
  head: RequestHead;
  stream: TunnelStream;
  /** Looks for objects in the answer; null for not at all. */
  scan: AnswerScan | null;
  packer: AnswerPacker;
  count: CountOfUser;
}

/** Sends an answer as it comes. Resolves when it is over. */
export async function sendAnswer(
  response: IncomingMessage,
  { head, stream, scan, packer, count }: Answered,
): Promise<void> {
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
