import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import type { CaptureOrder } from '#core/protocol/capture-order.ts';
import { buildCaptureFilter } from '../capture/build-capture-filter.ts';
import type { LiveCapture } from '../capture/live-capture.ts';
import { startCapture } from '../capture/start-capture.ts';
import { readInterfaceAddresses } from '../users/interface-addresses.ts';
import { endCapture } from './end-capture.ts';
import { findControlChannel } from './find-control-channel.ts';
import type { RecorderOptions } from './pass-recorder.ts';

/** What of an order can never be captured by. */
export interface CaptureRefusal {
  field: 'interface' | 'filter';
  problem: string;
}

/** Records the packets at a Capture Point in one Round. */
export interface PointRecorder {
  /** Takes what is still on its way, and leaves the Capture in the spool. To end it again changes nothing. */
  end(options: { isBrokenOff: boolean }): Promise<void>;
}

/** Records from now on. Where that cannot be although the order is right, why is what will be spooled. */
export async function startPointRecorder(
  order: CaptureOrder,
  { spool, controllerUrls, clock }: RecorderOptions,
): Promise<PointRecorder | CaptureRefusal> {
  const { captureId, limits } = order;
  let capture: LiveCapture | null = null;
  let absence = '';
  try {
    capture = await start(order, { file: spool.traceFile(captureId), controllerUrls });
  } catch (error) {
    const refusal = findRefusal(order, error);
    if (refusal) return refusal;
    absence = (error as Error).message;
  }

  const end = async (isBrokenOff: boolean) => {
    const circumstances = {
      interface: order.interface,
      isBrokenOff,
      keepsTrace: limits.keepTraces,
      keepsConnections: false,
      visitTimes: [],
      localAddresses: [],
      firstPort: null,
    };
    spool.add(
      captureId,
      capture ? await endCapture(capture, clock, circumstances) : { kind: 'absent', reason: absence },
    );
  };
  let ended: Promise<void> | null = null;
  return { end: ({ isBrokenOff }) => (ended ??= end(isBrokenOff)) };
}

async function start(
  { interface: name, filter, limits }: CaptureOrder,
  { file, controllerUrls }: { file: string; controllerUrls: readonly string[] },
): Promise<LiveCapture> {
  const withoutControl = buildCaptureFilter({ addresses: [], excluded: await findControlChannel(controllerUrls) });
  return startCapture({
    interface: name,
    filter: filter === '' ? withoutControl : `(${filter}) and ${withoutControl}`,
    file,
    // To and from this host; where it only passes packets on, they have no direction.
    localAddresses: readInterfaceAddresses().get(name) ?? [],
    snapBytes: limits.snapBytes,
    maximumFileBytes: limits.maxBytesPerPass,
  });
}

function findRefusal({ interface: name }: CaptureOrder, error: unknown): CaptureRefusal | null {
  if (error instanceof AppError && error.code === 'invalid-input') return { field: 'filter', problem: error.message };
  const isKnownAbsent =
    process.platform === 'linux' && name !== 'any' && !existsSync(path.join('/sys/class/net', name));
  return isKnownAbsent ? { field: 'interface', problem: `this host has no interface "${name}"` } : null;
}
