import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { VisitMeter } from '#agent/artefacts/visit-meter.ts';
import { createRandom } from '#testbed/link/model/create-random.ts';
import { plainShape, server, startEpochNs } from '#tests/support/packets/measure.ts';
import { frames, tcpPacket } from '#tests/support/packets/packet-bytes.ts';
import { inventDownload } from '#tests/support/packets/random-conversation.ts';
import { pcapBytes } from '#tests/support/packets/trace-bytes.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const user = { address: '10.0.0.1', port: 40_000 };
const startEpochMs = Number(startEpochNs / 1_000_000n);

/** Within the longest pause of the middle third, so that no packet is near. */
function findGap(timesMs: number[]): number {
  const third = Math.floor(timesMs.length / 3);
  const pauses = timesMs.slice(third, 2 * third).map((from, index) => ({ from, to: timesMs[third + index + 1]! }));
  const longest = pauses.reduce((best, each) => (each.to - each.from > best.to - best.from ? each : best));
  return (longest.from + longest.to) / 2;
}

test('what a Visit sent, received and signalled is what tshark counts in its time', async () => {
  const segments = inventDownload({ client: user, server }, createRandom(5));
  const trace = pcapBytes(
    plainShape,
    segments.map(({ atNs, fields }) => ({
      epochNs: startEpochNs + BigInt(atNs),
      bytes: frames.ethernet!.wrap(tcpPacket(fields)),
    })),
  );
  const middleMs = findGap(segments.map(({ atNs }) => atNs / 1e6));
  const times = [
    [-1, middleMs],
    [middleMs, Infinity],
  ] as const;
  const meter = new VisitMeter(
    times.map(([from, to], index) => ({
      visitId: String(index),
      startedEpochMs: startEpochMs + from,
      endedEpochMs: startEpochMs + to,
    })),
    { keepsConnections: true, localAddresses: [user.address] },
  );
  meter.push(trace);
  const { visits } = meter.finish();

  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'download.pcap');
  await writeFile(file, trace);
  const fields = ['frame.time_relative', 'ip.src', 'frame.len', 'tcp.len'];
  const { stdout } = await promisify(execFile)('tshark', [
    ...['-n', '-r', file, '-T', 'fields'],
    ...fields.flatMap((field) => ['-e', field]),
  ]);
  const firstMs = segments[0]!.atNs / 1e6;
  const packets = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([atS, source, bytes, payloadBytes]) => ({
      atMs: firstMs + 1000 * Number(atS),
      isSent: source === user.address,
      bytes: Number(bytes),
      isEmpty: payloadBytes === '0',
    }));
  const bytesOf = (some: typeof packets) => some.reduce((sum, { bytes }) => sum + bytes, 0);
  times.forEach(([from, to], index) => {
    const own = packets.filter(({ atMs }) => from <= atMs && atMs < to);
    expect(own.length).toBeGreaterThan(10);
    expect(visits[String(index)]).toMatchObject({
      packets: own.length,
      bytes: bytesOf(own),
      sentBytes: bytesOf(own.filter(({ isSent }) => isSent)),
      receivedBytes: bytesOf(own.filter(({ isSent }) => !isSent)),
      signallingPackets: own.filter(({ isEmpty }) => isEmpty).length,
    });
  });
});
