import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { lossBounds } from '#testbed/check/judge-link.ts';
import { expectCompleted } from '#tests/support/expect-completed.ts';
import { judgeTime } from '#tests/support/judge-time.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { hasCaddy } from '../browser/support/has-caddy.ts';
import { joinOverLink, linkUser } from './support/join-over-link.ts';

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

const user = linkUser('user');

describe.skipIf(!hasCaddy)('HTTP/3 over the link', () => {
  const stack = new AsyncDisposableStack();
  let link: Awaited<ReturnType<typeof joinOverLink>>;
  beforeAll(async () => {
    link = stack.use(await joinOverLink({ http3: true }));
  });
  afterAll(() => stack.disposeAsync());

  test('connections of HTTP/3 are counted for their Visits, and their handshakes last as tshark says', async () => {
    const run = await link.run({
      name: 'QUIC',
      urlLists: { pages: [`${link.origin.urls.front!}/images/{2,12}`] },
      userAgents: [user],
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
    const capture = await link.readCapture('passes', pass.id);
    const trace = gunzipSync(Buffer.from(await (await link.program(`/api/passes/${pass.id}/trace`)).arrayBuffer()));
    await using folder = await makeTemporaryFolder();
    const file = path.join(folder.path, 'quic.pcap');
    await writeFile(file, trace);
    const port = Number(new URL(link.origin.urls.front!).port);
    const datagrams = Map.groupBy(await readDatagrams(file, port), ({ connection }) => connection);

    const { udp, udpFlows } = capture.statistics;
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
    // How much longer is a matter of the machine.
    for (const ms of own) expect(ms).toBeGreaterThan(2 * delayMs);
  });

  test(
    'a Visit that resumes a connection of an earlier one sends its request with the handshake, a round trip earlier',
    { timeout: 900_000 },
    async (context) => {
      const direction = { rateKbps: 5000, delayMs };
      await judgeTime(context, {
        measure: async () => {
          const run = await link.run({
            name: 'QUIC resumed',
            urlLists: { pages: [`${link.origin.urls.front!}/images/{1,2,3}`] },
            userAgents: [user],
            scenarios: [
              {
                name: 'h3',
                baseline: true,
                browser: {
                  trustedKeys: [link.origin.trustedKey],
                  protocols: ['h3'],
                  // Chrome's own limit is that of the server, half a minute.
                  flags: [
                    '--force-fieldtrials=QUIC/Enabled',
                    '--force-fieldtrial-params=QUIC.Enabled:idle_connection_timeout_seconds/2',
                  ],
                },
                network: { link: { forward: direction, return: direction } },
              },
            ],
            pageLoad: { restMs: 3000, quietMs: 300, cache: 'per-pass' },
            repetition: { rounds: 1, warmUp: false, attempts: 4 },
          });
          expectCompleted(run, { visits: 3, failedVisits: 0 });
          const visits = (await (await link.program(`/api/runs/${run.id}/visits?format=json`)).json()) as {
            connect_ms: number;
            first_byte_ms: number;
            wire_connections: number;
          }[];
          const pass = run.rounds.find(({ state }) => state === 'completed')!.passes[0]!;
          const { statistics } = await link.readCapture('passes', pass.id);
          const [first, ...others] = statistics.udpFlows.map(({ quic }) => quic!);
          expect(first!.hasZeroRtt).toBe(false);
          expect(others.map(({ hasZeroRtt }) => hasZeroRtt)).toEqual([true, true]);
          // The handshake itself takes as long. Nobody waits for it.
          for (const { handshakeMs } of others) expect(handshakeMs).toBeGreaterThan(2 * delayMs);
          expect(visits.map(({ wire_connections }) => wire_connections)).toEqual([1, 1, 1]);
          return visits;
        },
        holds: ([full, ...resumed]) => {
          expect(full!.connect_ms).toBeGreaterThan(1.5 * delayMs);
          expect(Math.min(...resumed.map(({ connect_ms }) => connect_ms))).toBeLessThan(delayMs);
          const savedMs = full!.first_byte_ms - Math.min(...resumed.map(({ first_byte_ms }) => first_byte_ms));
          expect(savedMs).toBeGreaterThan(delayMs);
        },
        // A browser starts meanwhile.
        limits: { lateMs: 250 },
      });
    },
  );

  /** Bursts each way of their own. The link does little else: its queue has room for all that QUIC sends at once. */
  const losses = {
    forward: { lossRatio: 0.03, lossBurstPackets: 3 },
    return: { lossRatio: 0.06, lossBurstPackets: 2 },
  };
  const confidence = 1 - 1e-7;

  test('losses in bursts cost no object, and as many datagrams are lost as the link says', async () => {
    const port = new URL(link.origin.urls.front!).port;
    const bursty = { rateKbps: 8000, delayMs: 20, queueBytes: 4_000_000 };
    const run = await link.run({
      name: 'QUIC with losses',
      urlLists: { pages: [`${link.origin.urls.front!}/page/50x20000?number={1,2}`] },
      userAgents: [user],
      scenarios: [
        {
          name: 'h3',
          baseline: true,
          browser: { trustedKeys: [link.origin.trustedKey], protocols: ['h3'] },
          network: { link: { forward: { ...bursty, ...losses.forward }, return: { ...bursty, ...losses.return } } },
        },
      ],
      capturePoints: ['ground', 'remote'].map((host) => ({
        name: host,
        host,
        interface: 'link0',
        filter: `udp port ${port}`,
      })),
      pageLoad: { restMs: 200, quietMs: 300 },
      repetition: { rounds: 1, warmUp: false, attempts: 4 },
    });
    expectCompleted(run, { visits: 2, failedVisits: 0 });
    const visits = (await (await link.program(`/api/runs/${run.id}/visits?format=json`)).json()) as {
      object_count: number;
      failed_object_count: number;
    }[];
    expect(visits.map(({ object_count, failed_object_count }) => [object_count, failed_object_count])).toEqual([
      [51, 0],
      [51, 0],
    ]);
    const pass = run.rounds.find(({ state }) => state === 'completed')!.passes[0]!;
    const { statistics } = await link.readCapture('passes', pass.id);
    expect([statistics.udp!.quicFlows, statistics.tcp?.connections ?? 0]).toEqual([2, 0]);

    const [ground, remote] = [await countAt(run, 'ground'), await countAt(run, 'remote')];
    for (const [side, sent, arrived] of [
      ['forward', ground.byServer, remote.byServer],
      ['return', remote.byClient, ground.byClient],
    ] as const) {
      const { lossRatio: ratio, lossBurstPackets: burstPackets } = losses[side];
      const { low, high } = lossBounds({ trials: sent, ratio, burstPackets, confidence });
      console.log(`${side}: ${sent - arrived} of ${sent} datagrams lost, ${low} to ${high} expected`);
      expect(sent).toBeGreaterThan(200);
      expect(sent - arrived).toBeGreaterThanOrEqual(Math.max(1, low));
      expect(sent - arrived).toBeLessThanOrEqual(high);
    }
  });

  /** What each end of QUIC sent, as it passed there. */
  async function countAt(run: RunDetail, point: string): Promise<{ byServer: number; byClient: number }> {
    const { id } = run.rounds
      .find(({ state }) => state === 'completed')!
      .capturePoints.find(({ name }) => name === point)!;
    const { udpFlows: flows } = (await link.readCapture('captures', id)).statistics;
    const sum = (of: (flow: (typeof flows)[number]) => number) => flows.reduce((total, flow) => total + of(flow), 0);
    return { byServer: sum((flow) => flow.sentByServer.packets), byClient: sum((flow) => flow.sentByClient.packets) };
  }
});
