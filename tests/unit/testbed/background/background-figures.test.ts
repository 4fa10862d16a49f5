import { backgroundFigures } from '#testbed/background/background-figures.ts';
import { DelayHistogram, type FlowCounts } from '#testbed/background/flow-messages.ts';
import { chooseVideoRate, VideoPlayer } from '#testbed/background/video-player.ts';
import fc from 'fast-check';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { readSockets } from '#testbed/background/socket-watch.ts';

const flow = (change: Partial<FlowCounts>): FlowCounts => ({
  kind: 'bulk-download',
  receivedBytes: 0,
  overMs: 10_000,
  sentBytes: 0,
  retransmittedBytes: 0,
  roundTrip: null,
  video: null,
  ...change,
});
const datagrams = {
  voiceSent: 500,
  voiceReceived: 450,
  voiceDelay: { p50Ms: 60, p95Ms: 90 },
  pingsSent: 0,
  pingsReturned: 0,
  roundTrip: null,
};

it('takes throughput from the receiver, and round trip and what was sent again from the sender', () => {
  const figures = backgroundFigures({
    flows: {
      ground: [
        flow({ sentBytes: 1_000_000, retransmittedBytes: 20_000, roundTrip: { p50Ms: 110, p95Ms: 150 } }),
        flow({ kind: 'bulk-upload', receivedBytes: 125_000 }),
      ],
      remote: [
        flow({ receivedBytes: 980_000 }),
        flow({ kind: 'bulk-upload', sentBytes: 200_000, roundTrip: { p50Ms: 300, p95Ms: 400 } }),
      ],
    },
    datagrams: { ground: datagrams, remote: datagrams },
    hasVoice: true,
  });
  expect(Object.fromEntries(figures.map(({ figure, value }) => [figure, value]))).toEqual({
    'bulk-download throughput': 784,
    'bulk-download sent again': 2,
    'bulk-download round trip p50': 110,
    'bulk-download round trip p95': 150,
    'bulk-upload throughput': 100,
    'bulk-upload sent again': 0,
    'bulk-upload round trip p50': 300,
    'bulk-upload round trip p95': 400,
    'voice to users loss': 10,
    'voice to users one-way delay p50': 60,
    'voice to users one-way delay p95': 90,
    'voice from users loss': 10,
    'voice from users one-way delay p50': 60,
    'voice from users one-way delay p95': 90,
    'ping round trip p50': null,
    'ping round trip p95': null,
    'ping loss': null,
  });
});

it('has the mean rate and the stalls of video, and no voice where nobody speaks', () => {
  const video = { segments: 4, rateKbps: 2000, stalledMs: 1500, segmentTime: { p50Ms: 900, p95Ms: 2000 } };
  const figures = backgroundFigures({
    flows: { ground: [flow({ kind: 'video' })], remote: [flow({ kind: 'video', video })] },
    datagrams: { ground: datagrams, remote: datagrams },
    hasVoice: false,
  });
  const values = new Map(figures.map(({ figure, value }) => [figure, value]));
  expect(values.get('video rate')).toBe(500);
  expect(values.get('video stalled')).toBe(1500);
  expect(values.get('video segment p95')).toBe(2000);
  expect([...values.keys()].filter((figure) => figure.startsWith('voice'))).toEqual([]);
});

const ladder = [200, 400, 800, 1600];
/** What the buffer maps to, between 200 at 8 s and 1600 at 24 s. */
const mapped = (bufferMs: number) => 200 + (1400 * (bufferMs - 8_000)) / 16_000;

it.each([
  ['the lowest rate up to the reservoir', 8_000, 1600, 200],
  ['the highest from the end of the cushion on', 24_000, 200, 1600],
  ['the rate before, while the buffer maps between its neighbours', 12_000, 400, 400],
  ['the highest rate below what the buffer maps to, once that reaches the next rate', 20_000, 200, 800],
  ['the lowest rate above what the buffer maps to, once that falls to the rate below', 14_000, 1600, 800],
])('it is %s', (_, bufferMs, previousKbps, expected) => {
  expect(chooseVideoRate(ladder, { bufferMs, previousKbps })).toBe(expected);
});

it('holds the cases above to the map', () => {
  expect([mapped(12_000), mapped(14_000), mapped(20_000)]).toEqual([550, 725, 1250]);
});

it('is the only rate of a ladder of one', () => {
  for (const bufferMs of [0, 12_000, 30_000]) expect(chooseVideoRate([500], { bufferMs, previousKbps: 500 })).toBe(500);
});

it('knows p50 and p95 of any delays within 0.2 %', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.05, max: 1e6, noNaN: true }), { minLength: 1 }), (delays) => {
      const histogram = new DelayHistogram();
      delays.forEach((delay) => histogram.add(delay));
      const sorted = delays.toSorted((a, b) => a - b);
      const { p50Ms, p95Ms } = histogram.summarize()!;
      for (const [found, probability] of [
        [p50Ms, 0.5],
        [p95Ms, 0.95],
      ] as const) {
        const exact = sorted[Math.ceil(probability * sorted.length) - 1]!;
        expect(Math.abs(found / exact - 1)).toBeLessThan(0.002);
      }
    }),
  );
});

it('has no quantile of nothing', () => {
  expect(new DelayHistogram().summarize()).toBeNull();
});

it('reads round trip, bytes sent and bytes sent again of each connection, and 0 for what the kernel leaves out', () => {
  const output = `ESTAB 0      1448         198.19.0.1:25001     198.19.0.2:51234 cubic wscale:10,10 rto:304 rtt:103.2/1.5 mss:1448 pmtu:1500 cwnd:17 bytes_sent:1234567 bytes_retrans:4344 bytes_acked:1200000 segs_out:900 minrtt:100.1 rcv_rtt:250
ESTAB 0      0            198.19.0.1:25001     198.19.0.2:51236 cubic wscale:10,10 rto:1000 mss:1448 pmtu:1500 cwnd:10
`;
  expect(readSockets(output)).toEqual([
    {
      connection: '198.19.0.1:25001 198.19.0.2:51234',
      roundTripMs: 103.2,
      sentBytes: 1_234_567,
      retransmittedBytes: 4344,
    },
    { connection: '198.19.0.1:25001 198.19.0.2:51236', roundTripMs: null, sentBytes: 0, retransmittedBytes: 0 },
  ]);
  expect(readSockets('\n')).toEqual([]);
});

it('counts a stall of video that no segment ends', async () => {
  const stalled = Promise.withResolvers<void>();
  let requests = 0;
  const server = createServer((socket) => {
    // The first segment comes; nothing follows.
    createInterface(socket).on('line', (line) => {
      requests += 1;
      if (requests === 1) socket.write(Buffer.alloc(Number(line)));
      else stalled.resolve();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let nowMs = 1_000;
  const player = new VideoPlayer([100], () => nowMs);
  const closing = new AbortController();
  const played = player.play(socket, closing.signal);
  await stalled.promise;
  nowMs += 60_000;
  player.end();
  // A segment is of 4 s.
  expect(VideoPlayer.sum([player])).toMatchObject({ segments: 1, stalledMs: 56_000 });
  closing.abort();
  await played;
  socket.destroy();
  server.close();
});
