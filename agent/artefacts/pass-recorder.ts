import { lookup } from 'node:dns/promises';
import { AppError } from '#core/app-error.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { buildCaptureFilter } from '../capture/capture-filter.ts';
import type { Capture } from '../capture/capture.ts';
import { startCapture } from '../capture/start-capture.ts';
import type { CaptureSpool, SpooledCapture, VisitTime } from '../spool/capture-spool.ts';
import { normaliseAddress, readInterfaceAddresses } from '../users/interface-addresses.ts';

export interface RecorderOptions {
  spool: CaptureSpool;
  /** Whose line to this Agent is left out of every trace. */
  controllerUrl: string;
}

/** Records the packets of one Pass, those of its User Agent's own address. Disposing of it before `finish` leaves nothing. */
export interface PassRecorder extends AsyncDisposable {
  addVisit(time: VisitTime): void;
  /** Takes what is still on its way, and leaves the Capture in the spool. */
  finish(clockOffsetMs: number): Promise<void>;
}

/** Records from now on. A capture that cannot be made holds no Pass up: why is then what is spooled. */
export async function startPassRecorder({ passId, capture: settings, ...user }: PassOrder, options: RecorderOptions): Promise<PassRecorder> {
  const { spool } = options;
  if (settings === null || user.sourceAddress === undefined) return silentRecorder(null);
  const address = normaliseAddress(user.sourceAddress);
  const visitTimes: VisitTime[] = [];
  let started: { capture: Capture; interface: string };
  try {
    started = await start({ address, interface: user.interface, file: spool.traceFile(passId), settings, controllerUrl: options.controllerUrl });
  } catch (error) {
    return silentRecorder(() => spool.add(passId, { kind: 'absent', reason: (error as Error).message }));
  }

  const { capture } = started;
  let isSpooled = false;
  return {
    addVisit: (time) => void visitTimes.push(time),
    finish: async (clockOffsetMs) => {
      spool.add(passId, await stop(capture, { interface: started.interface, clockOffsetMs, keepsTrace: settings.keepTraces, visitTimes }));
      isSpooled = true;
    },
    [Symbol.asyncDispose]: async () => {
      await capture[Symbol.asyncDispose]();
      if (!isSpooled) spool.removeTrace(passId);
    },
  };
}

function silentRecorder(onFinish: (() => void) | null): PassRecorder {
  return {
    addVisit: () => undefined,
    finish: () => Promise.resolve(onFinish?.()),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

interface StartOptions {
  address: string;
  interface: string | undefined;
  file: string;
  settings: NonNullable<PassOrder['capture']>;
  controllerUrl: string;
}

async function start({ address, file, settings, controllerUrl, ...user }: StartOptions): Promise<{ capture: Capture; interface: string }> {
  const name = user.interface ?? [...readInterfaceAddresses()].find(([, own]) => own.includes(address))?.[0];
  if (name === undefined) throw new AppError('capture-unavailable', `No interface of this host has the address ${address}`);
  const filter = buildCaptureFilter({ addresses: [address], excluded: await findControlChannel(controllerUrl) });
  const { snapBytes, maxBytesPerPass: maximumFileBytes } = settings;
  return { interface: name, capture: await startCapture({ interface: name, filter, file, localAddresses: [address], snapBytes, maximumFileBytes }) };
}

async function findControlChannel(controllerUrl: string): Promise<{ address: string; port: number }[]> {
  const { hostname, port, protocol } = new URL(controllerUrl);
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
  return addresses.map(({ address }) => ({ address, port: Number(port || (protocol === 'https:' ? 443 : 80)) }));
}

async function stop(capture: Capture, known: { interface: string; clockOffsetMs: number; keepsTrace: boolean; visitTimes: VisitTime[] }): Promise<SpooledCapture> {
  try {
    const { program, statistics, receivedPackets, droppedByKernel, droppedByInterface, isLimited } = await capture.stop();
    return { kind: 'captured', program, statistics, receivedPackets, droppedByKernel, droppedByInterface, isLimited, ...known };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'absent', reason: error.message };
  }
}
