import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CaptureDetailSchema } from '#core/protocol/api/stored-capture.ts';
import { expectCompleted } from '#tests/support/expect-completed.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { hasCaddy } from '../browser/support/has-caddy.ts';
import { joinOverLink } from './support/join-over-link.ts';

const delayMs = 150;

interface TsharkPacket {
  connection: string;
  atMs: number;
  sourcePort: number;
  /** Of the QUIC packets in the datagram: 0, a long header of that type; null, a short one. */
  types: (number | null)[];
}

/** Every datagram of QUIC, as tshark reads those of a port. */
async function readDatagrams(file: string, port: number): Promise<TsharkPacket[]> {
  const fields = [
    'quic.connection.number',
    'frame.time_epoch',
    'udp.srcport',
    'quic.header_form',
    'quic.long.packet_type',
  ];
  const { stdout } = await promisify(execFile)(
    'tshark',
    [
      ...['-n', '-r', file, '-d', `udp.port==${port},quic`, '-Y', 'quic', '-T', 'fields'],
      ...fields.flatMap((field) => ['-e', field]),
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([connection, atS, sourcePort, forms, longTypes = '']) => {
      const types = longTypes.split(',').filter(Boolean).map(Number);
      return {
        connection: connection!.split(',')[0]!,
        atMs: 1000 * Number(atS),
        sourcePort: Number(sourcePort),
        types: forms!.split(',').map((form) => (form === '0' ? null : types.shift()!)),
      };
    });
}

test.skipIf(!hasCaddy)(
  'connections of HTTP/3 are counted for their Visits, and their handshakes last as tshark says',
  async () => {
    await using link = await joinOverLink({ http3: true });
    const run = await link.run({
      name: 'QUIC',
      urlLists: { pages: [`${link.origin.urls.front!}/images/{2,12}`] },
      userAgents: [
        {
          name: 'user',
          host: 'remote',
          urlList: 'pages',
          osUser: 20_001,
          sourceAddress: '198.19.1.1',
          interface: 'link0',
        },
      ],
      scenarios: [
        {
          name: 'h3',
          baseline: true,
          browser: { trustedKeys: [link.origin.trustedKey], protocols: ['h3'] },
          network: { link: { forward: { rateKbps: 5000, delayMs }, return: { rateKbps: 5000, delayMs } } },
        },
      ],
      pageLoad: { restMs: 200, quietMs: 300 },
      capture: { keepTraces: true },
      repetition: { rounds: 1, warmUp: false, attempts: 4 },
    });
    expectCompleted(run, { visits: 2, failedVisits: 0 });
    const visits = (await (await link.program(`/api/runs/${run.id}/visits?format=json`)).json()) as {
      wire_connections: number;
    }[];
    expect(visits.map(({ wire_connections }) => wire_connections)).toEqual([1, 1]);

    const pass = run.rounds.find(({ state }) => state === 'completed')!.passes[0]!;
    const capture = CaptureDetailSchema.parse(await (await link.program(`/api/passes/${pass.id}/capture`)).json());
    if (capture.outcome.kind !== 'captured') throw new Error('There is no Capture');
    const trace = gunzipSync(Buffer.from(await (await link.program(`/api/passes/${pass.id}/trace`)).arrayBuffer()));
    await using folder = await makeTemporaryFolder();
    const file = path.join(folder.path, 'quic.pcap');
    await writeFile(file, trace);
    const port = Number(new URL(link.origin.urls.front!).port);
    const datagrams = Map.groupBy(await readDatagrams(file, port), ({ connection }) => connection);

    const { udp, udpFlows } = capture.outcome.statistics;
    expect(udp!.quicFlows).toBe(2);
    expect(datagrams.size).toBe(2);
    const handshakes = [...datagrams.values()].map((all) => {
      const ofClient = all.filter(({ sourcePort }) => sourcePort !== port);
      const initial = ofClient.find(({ types }) => types.includes(0))!;
      const answer = ofClient.find(({ types }) => types.includes(2) || types.includes(null))!;
      return answer.atMs - initial.atMs;
    });
    const own = udpFlows.flatMap(({ quic }) => (quic ? [quic.handshakeMs!] : []));
    own.forEach((ms, index) => expect(ms).toBeCloseTo(handshakes[index]!, 1));
    for (const ms of own) {
      expect(ms).toBeGreaterThan(2 * delayMs);
      expect(ms).toBeLessThan(2 * delayMs + 200);
    }
  },
);
