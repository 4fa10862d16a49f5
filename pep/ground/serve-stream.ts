import { QuestionSchema } from '../exchange/heads.ts';
import { unpack } from '../exchange/pack.ts';
import { readRecords } from '../exchange/read-records.ts';
import { recordTypes } from '../exchange/record.ts';
import { TunnelError } from '../tunnel/tunnel-error.ts';
import type { Tunnel } from '../tunnel/tunnel.ts';
import type { TunnelStream } from '../tunnel/tunnel-stream.ts';
import type { AddressPolicy } from './address-policy.ts';
import type { Bundler } from './bundle/bundler.ts';
import type { AnswerPacker } from './compress/answer-packer.ts';
import type { CountOfUser } from './count-of-user.ts';
import type { GroundCounters } from './ground-counters.ts';
import type { GroundSettings } from './ground-settings.ts';
import type { OriginRequests } from './origin-request.ts';
import { serveConnect } from './serve-connect.ts';
import { serveRequest } from './serve-request.ts';

interface Service {
  settings: Pick<GroundSettings, 'classOf'>;
  mayReach: AddressPolicy;
  origins: OriginRequests;
  packer: AnswerPacker;
  counters: GroundCounters;
  /** Null: nothing is fetched ahead. */
  bundler: Bundler | null;
  tunnel: Tunnel;
}

/** Answers a stream that the remote end opened. Never rejects: what fails ends the stream. */
export async function serveStream(stream: TunnelStream, service: Service): Promise<void> {
  stream.on('error', () => undefined);
  stream.on('stopped', () => stream.destroy());
  const { settings, mayReach, origins, packer, bundler, counters, tunnel } = service;
  const records = readRecords(stream);
  try {
    const first = await records.next();
    if (first.done || first.value.type !== recordTypes.head) throw new TunnelError('protocol', 'A stream has no head');
    const head = unpack(first.value.bytes, QuestionSchema);
    stream.flow.user = head.user;
    stream.flow.userClass = settings.classOf(head.user);
    const count: CountOfUser = (name, by) => counters.add(head.user, name, by);
    if (head.kind === 'connect') {
      count('connects');
      await serveConnect(stream, { head, records, mayReach });
      return;
    }
    count('requests');
    const chooseScan = bundler?.scanPages({ head, stream, tunnel }) ?? (() => null);
    await serveRequest({ stream, head, records, origins, packer, chooseScan, count });
  } catch (error) {
    stream.destroy(error as Error);
  }
}
