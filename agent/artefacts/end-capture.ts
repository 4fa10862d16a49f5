import { AppError } from '#core/app-error.ts';
import type { ControllerClock } from '#core/clock/controller-clock.ts';
import type { LiveCapture } from '../capture/live-capture.ts';
import type { SpooledCapture } from '../spool/capture-spool.ts';
import { readSystemClockLead } from '../system-clock-lead.ts';

/** What is known of a Capture beside what it measured. */
export type CaptureCircumstances = Pick<
  Extract<SpooledCapture, { kind: 'captured' }>,
  'interface' | 'isBrokenOff' | 'keepsTrace' | 'keepsConnections' | 'visitTimes' | 'localAddresses' | 'firstPort'
>;

/** Takes what is still on its way and ends it. One that had ended by itself is absent, with that reason. */
export async function endCapture(
  capture: LiveCapture,
  clock: Pick<ControllerClock, 'known'>,
  circumstances: CaptureCircumstances,
): Promise<SpooledCapture> {
  try {
    const { program, statistics, receivedPackets, droppedByKernel, droppedByInterface, isLimited } =
      await capture.stop();
    if (clock.known === null)
      return { kind: 'absent', reason: 'The clock of this host was not compared with that of the Controller yet' };
    const { offsetMs, errorMs: clockErrorMs } = clock.known;
    const clockOffsetMs = offsetMs - readSystemClockLead();
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
