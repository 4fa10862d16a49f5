import { expect, it } from 'vitest';
import { backgroundFigures } from '#testbed/background/background-figures.ts';
import type { FlowCounts } from '#testbed/background/flow-messages.ts';

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
