import fc from 'fast-check';
import { AppError } from '#core/app-error.ts';
import { CaptureStatisticsSchema, type CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { measure } from '#tests/support/packets/measure.ts';
import { byteEdits, editBytes } from '../support/edits.ts';
import type { FuzzTarget } from '../support/fuzz-target.ts';
import { must, mustEqual } from '../support/promises.ts';
import { arbitraryOf } from '../support/schema-arbitrary.ts';
import { encodeTrace } from './traces/encode-trace.ts';
import { TraceModelSchema, type TraceModel } from './traces/trace-model.ts';

/** Traces from the file down to the records of TLS, with lengths that are right, and with some that are not. */
export const target: FuzzTarget<TraceModel> = {
  schema: TraceModelSchema,
  arbitrary: fc
    .tuple(arbitraryOf(TraceModelSchema.omit({ edits: true })), byteEdits)
    .map(([model, edits]) => ({ ...(model as TraceModel), edits })),
  run(model) {
    const trace = editBytes(encodeTrace(model), model.edits);
    let statistics: CaptureStatistics;
    try {
      statistics = measure(trace, model);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not-a-trace') throw error;
      return [error.message.replaceAll(/[0-9a-f]{4,}|\d+/g, '').slice(0, 60)];
    }
    check(statistics, trace, model);
    return [
      statistics.damage?.problem.replaceAll(/\d+/g, '') ?? 'whole',
      ...statistics.connections.map(({ state, tls }) => `${state} ${JSON.stringify(tls).slice(0, 60)}`),
    ];
  },
};

function check(statistics: CaptureStatistics, trace: Uint8Array, { localAddresses }: TraceModel): void {
  mustEqual(
    CaptureStatisticsSchema.parse(JSON.parse(JSON.stringify(statistics))),
    statistics,
    'statistics that were sent are read as the same',
  );
  const { packets, tcp, udp, linkTypes, malformedPackets, cutPackets, damage, directions, dataBytes } = statistics;
  must(linkTypes.reduce((sum, each) => sum + each.packets, 0) === packets, 'each packet has a link type');
  must(
    (tcp?.packets ?? 0) + (udp?.packets ?? 0) + malformedPackets + cutPackets <= packets,
    'no packet is counted twice',
  );
  must(tcp === null || tcp.connections === tcp.opened + tcp.failed + tcp.joined, 'each connection has a state');
  must(
    directions === null ||
      [directions.sent, directions.received, directions.other].reduce((sum, { bytes }) => sum + bytes, 0) === dataBytes,
    'each byte goes one way',
  );
  mustEqual(measure(trace, { localAddresses }), statistics, 'the sizes of chunks change nothing');
  // What was read before the damage is what a trace that ends there holds.
  if (damage !== null)
    mustEqual(
      measure(trace.subarray(0, damage.readToBytes), { localAddresses }),
      { ...statistics, damage: null },
      'damage changes nothing before it',
    );
}
