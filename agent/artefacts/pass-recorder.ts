import { AppError } from '#core/app-error.ts';
import { lastsForPass } from '#core/evaluation/pages/page-load.ts';
import type { ClockOffset } from '#core/clock/clock-offset.ts';
import type { ControllerClock } from '#core/clock/controller-clock.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { buildCaptureFilter } from '../capture/build-capture-filter.ts';
import type { LiveCapture } from '../capture/live-capture.ts';
import { startCapture } from '../capture/start-capture.ts';
import type { CaptureSpool, VisitTime } from '../spool/capture-spool.ts';
import { readSystemClockLead } from '../system-clock-lead.ts';
import { normaliseAddress, readInterfaceAddresses } from '../users/interface-addresses.ts';
import type { IsolatedTraffic } from '../users/isolate-user.ts';
import { endCapture } from '../capture/end-capture.ts';
import { lookup } from 'node:dns/promises';

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443, 'socks4:': 1080, 'socks5:': 1080 };

export interface RecorderOptions {
  spool: CaptureSpool;
  /** The Controllers whose line to the Agent is left out of every trace. */
  controllerUrls: readonly string[];
  clock: Pick<ControllerClock, 'known'>;
  /** By what the packets of an isolated User Agent are known; left out of one with an address of its own. */
  traffic?: IsolatedTraffic;
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
  const traffic = options.traffic ?? trafficOf(user);
  if (settings === null || traffic === null) return silentRecorder(() => undefined);
  const visitTimes: VisitTime[] = [];
  // What is known at the first start is better than at the end: the clock is not read in a Pass.
  let atStart: ClockOffset | null = null;
  let started: { capture: LiveCapture; interface: string };
  try {
    started = await start({
      traffic,
      file: spool.traceFile(passId),
      settings,
      controllerUrls: options.controllerUrls,
    });
  } catch (error) {
    return silentRecorder(() => spool.add(passId, { kind: 'absent', reason: (error as Error).message }));
  }

  const leadMs = readSystemClockLead();
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
      localAddresses: [...traffic.addresses],
      firstPort: findFirstPort(order),
    };
    spool.add(passId, await endCapture(started.capture, { known: atStart ?? clock.known, leadMs }, circumstances));
  };
  return {
    addVisit: (time, offset) => {
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

interface RecordedTraffic extends Pick<IsolatedTraffic, 'addresses'> {
  /** Left out: the one that has the address. */
  interface: string | undefined;
  /** Left out: all. */
  ports?: IsolatedTraffic['ports'];
}

/** Null where nothing distinguishes the packets of this User Agent from those of others. */
function trafficOf({ sourceAddress, interface: name }: Pick<PassOrder, 'sourceAddress' | 'interface'>) {
  return sourceAddress === undefined ? null : { addresses: [normaliseAddress(sourceAddress)], interface: name };
}

interface StartOptions {
  traffic: RecordedTraffic;
  file: string;
  settings: NonNullable<PassOrder['capture']>;
  controllerUrls: readonly string[];
}

async function start({
  traffic: { addresses, ports, ...user },
  file,
  settings,
  controllerUrls,
}: StartOptions): Promise<{ capture: LiveCapture; interface: string }> {
  const name = user.interface ?? [...readInterfaceAddresses()].find(([, own]) => own.includes(addresses[0]!))?.[0];
  if (name === undefined)
    throw new AppError('capture-unavailable', `No interface of this host has the address ${addresses[0]!}`);
  const excluded = await findControlChannel(controllerUrls);
  const filter = buildCaptureFilter({ addresses, excluded, ...(ports && { ports }) });
  const { snapBytes, maxBytesPerPass: maximumFileBytes } = settings;
  return {
    interface: name,
    capture: await startCapture({
      interface: name,
      filter,
      file,
      localAddresses: addresses,
      snapBytes,
      maximumFileBytes,
    }),
  };
}

/** To which port the first packet of a Pass goes: that of its first page, or of the proxy; null where a script chooses the proxy. */
export function findFirstPort({ visits, browser }: Pick<PassOrder, 'visits' | 'browser'>): number | null {
  if (browser.pac !== undefined) return null;
  const { port, protocol } = new URL(browser.proxy ?? visits[0]!.url);
  return port === '' ? (defaultPorts[protocol] ?? null) : Number(port);
}

/** The ends of Controllers that an Agent may have its line to, as this host knows them: no trace is to hold its packets. Throws when the host knows none of them. */
export async function findControlChannel(
  controllerUrls: readonly string[],
): Promise<{ address: string; port: number }[]> {
  const found = await Promise.allSettled(controllerUrls.map(findEnds));
  const known = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  // There is no line to a name that the host cannot resolve.
  const unknown = found.find((each) => each.status === 'rejected');
  if (known.length === 0 && unknown) throw unknown.reason as Error;
  return known;
}

async function findEnds(controllerUrl: string): Promise<{ address: string; port: number }[]> {
  const { hostname, port, protocol } = new URL(controllerUrl);
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true });
  return addresses.map(({ address }) => ({ address, port: Number(port || (protocol === 'https:' ? 443 : 80)) }));
}
