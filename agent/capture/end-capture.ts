import { AppError } from '#core/app-error.ts';
import type { ClockOffset } from '#core/clock/clock-offset.ts';
import { describeClockStep } from '#core/clock/epoch-clock.ts';
import type { LiveCapture } from './live-capture.ts';
import type { SpooledCapture } from '../spool/capture-spool.ts';
import { readSystemClockLead } from '../system-clock-lead.ts';

/** What is known of a Capture beside what it measured. */
export type CaptureCircumstances = Pick<
  Extract<SpooledCapture, { kind: 'captured' }>,
  'interface' | 'isBrokenOff' | 'keepsTrace' | 'keepsConnections' | 'visitTimes' | 'localAddresses' | 'firstPort'
>;

interface CaptureClocks {
  /** That of the Controller; null where it is not known yet. */
  known: ClockOffset | null;
  /** Of the system clock, as the Capture began. */
  leadMs: number;
}

/** Takes what is still on its way and ends it. One that had ended by itself is absent, with that reason. */
export async function endCapture(
  capture: LiveCapture,
  { known, leadMs }: CaptureClocks,
  circumstances: CaptureCircumstances,
): Promise<SpooledCapture> {
  try {
    const { program, statistics, receivedPackets, droppedByKernel, droppedByInterface, isLimited } =
      await capture.stop();
    if (known === null)
      return { kind: 'absent', reason: 'The clock of this host was not compared with that of the Controller yet' };
    const leadAtEndMs = readSystemClockLead();
    // Its packets are dated by the system clock.
    const step = describeClockStep(leadMs, leadAtEndMs);
    if (step !== null) return { kind: 'absent', reason: `In this Capture, ${step}` };
    const { offsetMs, errorMs: clockErrorMs } = known;
    const clockOffsetMs = offsetMs - leadAtEndMs;
    return {
      kind: 'captured',
      program,
      statistics,
      receivedPackets,
      droppedByKernel,
      droppedByInterface,
      isLimited,
      clockOffsetMs,
      clockErrorMs,
      ...circumstances,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'absent', reason: error.message };
  }
}
