import { AppError } from '#core/app-error.ts';
import { lastsForPass } from '#core/evaluation/page-load.ts';
import type { ClockOffset } from '#core/clock/clock-offset.ts';
import type { ControllerClock } from '#core/clock/controller-clock.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { buildCaptureFilter } from '../capture/build-capture-filter.ts';
import type { LiveCapture } from '../capture/live-capture.ts';
import { startCapture } from '../capture/start-capture.ts';
import type { CaptureSpool, VisitTime } from '../spool/capture-spool.ts';
import { readSystemClockLead } from '../system-clock-lead.ts';
import { normaliseAddress, readInterfaceAddresses } from '../users/interface-addresses.ts';
import { endCapture } from './end-capture.ts';
import { findControlChannel } from './find-control-channel.ts';
import { findFirstPort } from './find-first-port.ts';

export interface RecorderOptions {
  spool: CaptureSpool;
  /** Whose line to the Agents is left out of every trace. */
  controllerUrl: string;
  clock: Pick<ControllerClock, 'known'>;
}

/** Records the packets of one Pass, those of its User Agent's own address. Disposing of it before `finish` keeps them as those of a Pass that was broken off. */
export interface PassRecorder extends AsyncDisposable {
  /** `clock`: as it was at the start of the Visit. */
  addVisit(time: VisitTime, clock: ClockOffset): void;
  /** Takes what is still on its way, and leaves the Capture in the spool. */
  finish(): Promise<void>;
}

/** Records from now on. A capture that cannot be made holds no Pass up: why is then what is spooled. */
export async function startPassRecorder(order: PassOrder, options: RecorderOptions): Promise<PassRecorder> {
  const { passId, pageLoad, capture: settings, ...user } = order;
  const { spool, clock } = options;
  if (settings === null || user.sourceAddress === undefined) return silentRecorder(() => undefined);
  const address = normaliseAddress(user.sourceAddress);
  const visitTimes: VisitTime[] = [];
  // What is known at the first start is better than at the end: the clock is not read in a Pass.
  let atStart: ClockOffset | null = null;
  let started: { capture: LiveCapture; interface: string };
  try {
    started = await start({
      address,
      interface: user.interface,
      file: spool.traceFile(passId),
      settings,
      controllerUrl: options.controllerUrl,
    });
  } catch (error) {
    return silentRecorder(() => spool.add(passId, { kind: 'absent', reason: (error as Error).message }));
  }

  let isOver = false;
  const end = async (isBrokenOff: boolean) => {
    if (isOver) return;
    isOver = true;
    const circumstances = {
      interface: started.interface,
      isBrokenOff,
      keepsTrace: settings.keepTraces,
      keepsConnections: lastsForPass(pageLoad),
      visitTimes,
      localAddresses: [address],
      firstPort: findFirstPort(order),
    };
    spool.add(passId, await endCapture(started.capture, { known: atStart ?? clock.known }, circumstances));
  };
  return {
    addVisit: (time, offset) => {
      const leadMs = readSystemClockLead();
      visitTimes.push({
        ...time,
        startedEpochMs: time.startedEpochMs + leadMs,
        endedEpochMs: time.endedEpochMs + leadMs,
      });
      atStart ??= offset;
    },
    finish: () => end(false),
    [Symbol.asyncDispose]: () => end(true),
  };
}

function silentRecorder(onEnd: () => void): PassRecorder {
  let isOver = false;
  const end = () => {
    if (!isOver) onEnd();
    isOver = true;
    return Promise.resolve();
  };
  return { addVisit: () => undefined, finish: end, [Symbol.asyncDispose]: end };
}

interface StartOptions {
  address: string;
  interface: string | undefined;
  file: string;
  settings: NonNullable<PassOrder['capture']>;
  controllerUrl: string;
}

async function start({
  address,
  file,
  settings,
  controllerUrl,
  ...user
}: StartOptions): Promise<{ capture: LiveCapture; interface: string }> {
  const name = user.interface ?? [...readInterfaceAddresses()].find(([, own]) => own.includes(address))?.[0];
  if (name === undefined)
    throw new AppError('capture-unavailable', `No interface of this host has the address ${address}`);
  const filter = buildCaptureFilter({ addresses: [address], excluded: await findControlChannel(controllerUrl) });
  const { snapBytes, maxBytesPerPass: maximumFileBytes } = settings;
  return {
    interface: name,
    capture: await startCapture({
      interface: name,
      filter,
      file,
      localAddresses: [address],
      snapBytes,
      maximumFileBytes,
    }),
  };
}
