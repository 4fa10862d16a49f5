import { client, handshake, measureSteps, plainShape, tracePackets, type Step } from './packets/measure.ts';
import { pcapBytes } from './packets/trace-bytes.ts';
import type { CaptureOutcome } from '#core/protocol/capture-outcome.ts';

/** A connection that is opened, and one segment of 1000 bytes to the client after 100 ms. */
const steps: Step[] = [
  ...handshake(),
  { atMs: 100, way: '<', flags: 'A', sequence: 5001, acknowledgement: 1001, payloadBytes: 1000 },
];

export const traceBytes = pcapBytes(plainShape, tracePackets(steps));

export type Captured = Extract<CaptureOutcome, { kind: 'captured' }>;

/** The Capture of that trace. */
export function makeCaptured(change: Partial<Captured> = {}): Captured {
  return {
    kind: 'captured',
    program: 'pcap',
    interface: 'eth0',
    statistics: measureSteps(steps, { localAddresses: [client.address] }),
    receivedPackets: steps.length,
    droppedByKernel: 0,
    droppedByInterface: 0,
    isLimited: false,
    isBrokenOff: false,
    clockOffsetMs: 0,
    clockErrorMs: 0.1,
    firstPacketEpochMs: null,
    trace: { kind: 'absent', reason: 'The Evaluation keeps no traces' },
    visits: {},
    ...change,
  };
}
