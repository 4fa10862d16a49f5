import type { Duplex } from 'node:stream';
import { AnswerSchema, type RequestHead } from '../exchange/heads.ts';
import { joinSocket } from '../exchange/join-socket.ts';
import { pack, unpack } from '../exchange/pack.ts';
import { readRecords } from '../exchange/read-records.ts';
import { encodeRecord, recordTypes } from '../exchange/record.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import { answerErrorRaw, formatHead, groundRestarted } from './answer-error.ts';

/** Passes a request for another protocol on, such as WebSocket. After the answer, bytes pass both ways. */
export async function forwardUpgrade(
  socket: Duplex,
  { stream, head }: { stream: TunnelStream; head: RequestHead },
): Promise<void> {
  socket.on('error', () => stream.destroy());
  stream.on('error', () => undefined);
  socket.once('close', () => stream.destroy());
  stream.write(encodeRecord(recordTypes.head, pack({ ...head, hasBody: false } satisfies RequestHead)));
  const records = readRecords(stream);
  try {
    for (let next = await records.next(); !next.done; next = await records.next()) {
      const { type, bytes } = next.value;
      if (type === recordTypes.information) socket.write(formatHead(unpack(bytes, AnswerSchema)), 'latin1');
      if (type !== recordTypes.head) continue;
      const answer = unpack(bytes, AnswerSchema);
      const isSwitched = answer.status === 101;
      const headers = isSwitched ? answer.headers : [...answer.headers, 'Connection', 'close'];
      socket.write(formatHead({ ...answer, headers }), 'latin1');
      await joinSocket(socket, { stream, records });
      return;
    }
    throw new Error('no answer');
  } catch {
    answerErrorRaw(socket, groundRestarted);
  }
}
