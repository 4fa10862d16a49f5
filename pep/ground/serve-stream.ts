import { QuestionSchema } from '../exchange/heads.ts';
import { unpack } from '../exchange/pack.ts';
import { readRecords } from '../exchange/read-records.ts';
import { recordTypes } from '../exchange/record.ts';
import { TunnelError } from '../tunnel/tunnel-error.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import type { GroundSettings } from './ground-settings.ts';
import type { OriginRequests } from './origin-request.ts';
import { serveConnect } from './serve-connect.ts';
import { serveRequest } from './serve-request.ts';

interface Service {
  settings: Pick<GroundSettings, 'classOf' | 'allowPrivate'>;
  origins: OriginRequests;
}

/** Answers a stream that the remote end opened. Never rejects: what fails ends the stream. */
export async function serveStream(stream: TunnelStream, { settings, origins }: Service): Promise<void> {
  stream.on('error', () => undefined);
  stream.on('stopped', () => stream.destroy());
  const records = readRecords(stream);
  try {
    const first = await records.next();
    if (first.done || first.value.type !== recordTypes.head) throw new TunnelError('protocol', 'A stream has no head');
    const head = unpack(first.value.bytes, QuestionSchema);
    stream.flow.user = head.user;
    stream.flow.userClass = settings.classOf(head.user);
    if (head.kind === 'request') await serveRequest({ stream, head, records, origins });
    else await serveConnect(stream, { head, records, allowPrivate: settings.allowPrivate });
  } catch (error) {
    stream.destroy(error as Error);
  }
}
