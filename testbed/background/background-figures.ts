import type { NetworkFigure } from '#core/protocol/network-figure.ts';
import { type FlowCounts, type DelaySummary, DelaySummarySchema } from './flow-messages.ts';
import { z } from 'zod';

/** What the process of datagrams at either end is started with, as JSON in its only argument. */
export const DatagramProcessOptionsSchema = z.strictObject({
  own: z.string(),
  peer: z.string(),
  /** One end sends pings, which the other returns. */
  sendsPings: z.boolean(),
  voices: z.int().min(0).max(50),
});

const count = z.int().nonnegative();

/** What one end counted. */
export const DatagramAnswerSchema = z.object({
  voiceSent: count,
  voiceReceived: count,
  voiceDelay: DelaySummarySchema.nullable(),
  pingsSent: count,
  pingsReturned: count,
  roundTrip: DelaySummarySchema.nullable(),
});
export type DatagramAnswer = z.infer<typeof DatagramAnswerSchema>;

/** What both ends counted of background load. */
export interface BackgroundCounts {
  flows: { ground: readonly FlowCounts[]; remote: readonly FlowCounts[] };
  datagrams: { ground: DatagramAnswer; remote: DatagramAnswer };
  hasVoice: boolean;
}

/** Of all users of a kind together: throughput at the receiver, what the sender sent again, and delays. */
export function backgroundFigures({ flows, datagrams, hasVoice }: BackgroundCounts): NetworkFigure[] {
  const { ground, remote } = datagrams;
  return [
    ...flows.remote.flatMap((atRemote) =>
      flowFigures(
        atRemote,
        flows.ground.find(({ kind }) => kind === atRemote.kind)!,
      ),
    ),
    ...(hasVoice
      ? [
          ...voiceFigures('voice to users', {
            sent: ground.voiceSent,
            received: remote.voiceReceived,
            delay: remote.voiceDelay,
          }),
          ...voiceFigures('voice from users', {
            sent: remote.voiceSent,
            received: ground.voiceReceived,
            delay: ground.voiceDelay,
          }),
        ]
      : []),
    ...delayFigures('ping round trip', remote.roundTrip),
    lossFigure('ping loss', { sent: remote.pingsSent, received: remote.pingsReturned }),
  ];
}

function flowFigures(atRemote: FlowCounts, atGround: FlowCounts): NetworkFigure[] {
  const { kind, video } = atRemote;
  const [sender, receiver] = kind === 'bulk-upload' ? [atRemote, atGround] : [atGround, atRemote];
  return [
    {
      figure: `${kind} throughput`,
      unit: 'kb/s',
      value: receiver.overMs > 0 ? (receiver.receivedBytes * 8) / receiver.overMs : null,
    },
    {
      figure: `${kind} sent again`,
      unit: '%',
      value: sender.sentBytes > 0 ? (sender.retransmittedBytes / sender.sentBytes) * 100 : null,
    },
    ...delayFigures(`${kind} round trip`, sender.roundTrip),
    ...(video
      ? [
          {
            figure: 'video rate',
            unit: 'kb/s' as const,
            value: video.segments > 0 ? video.rateKbps / video.segments : null,
          },
          { figure: 'video stalled', unit: 'ms' as const, value: video.stalledMs },
          ...delayFigures('video segment', video.segmentTime),
        ]
      : []),
  ];
}

function voiceFigures(
  name: string,
  { sent, received, delay }: { sent: number; received: number; delay: DelaySummary | null },
): NetworkFigure[] {
  return [lossFigure(`${name} loss`, { sent, received }), ...delayFigures(`${name} one-way delay`, delay)];
}

function lossFigure(figure: string, { sent, received }: { sent: number; received: number }): NetworkFigure {
  return { figure, unit: '%', value: sent > 0 ? (Math.max(0, sent - received) / sent) * 100 : null };
}

function delayFigures(name: string, delay: DelaySummary | null): NetworkFigure[] {
  return [
    { figure: `${name} p50`, unit: 'ms', value: delay?.p50Ms ?? null },
    { figure: `${name} p95`, unit: 'ms', value: delay?.p95Ms ?? null },
  ];
}
