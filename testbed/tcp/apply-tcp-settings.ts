import path from 'node:path';
import { mostMtuBytes, tooLargeMtu, type TcpSettings } from '#core/evaluation/network/tcp-settings.ts';
import { runIn, type Enter } from '../namespaces/run-tool.ts';
import { refuseOtherReceiveBuffer, setReceiveBuffer } from './limit-window.ts';
import { observeConnection, type SocketReport } from './observe-connection.ts';
import { requireVariant, setCongestionControl } from './set-congestion-control.ts';
import { changeSettings, readSetting } from './kernel-setting.ts';
import { changeRoutes } from './change-routes.ts';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';

/** Clients that ask for it (1), servers (2), and all of these without their asking (0x400); Documentation/networking/ip-sysctl.rst. */
const fastOpenValues = { true: String(0x1 | 0x2 | 0x400), false: '0' } as const;

const InterfacesSchema = z.tuple([z.object({ mtu: z.number(), addr_info: z.array(z.object({ family: z.string() })) })]);
/** RFC 8200, 5. The kernel takes the IPv6 addresses from an interface with less, for good. */
const leastIpv6Bytes = 1280;

export interface ApplyTcpOptions {
  settings: TcpSettings;
  /** The place that is set. */
  enter: Enter;
  /** By which it sends into the link. */
  interface: string;
  /** The other end of the link, to which a connection is made for a try. */
  peer: { enter: Enter; address: string };
}

/** Settings that hold until this is disposed of. */
export interface AppliedTcpSettings extends AsyncDisposable {
  /** What the kernel reported of a connection that was made with them. Null when there was nothing to set. */
  readonly connection: SocketReport | null;
}

/**
 * Sets how TCP behaves in a place, and holds a live connection to it. Connections that are open already stay as they are. Throws
 * `testbed-refused` when the kernel cannot do it and `testbed-failed` when it does not: nothing is left changed then.
 */
export async function applyTcpSettings({
  settings,
  enter,
  interface: name,
  peer,
}: ApplyTcpOptions): Promise<AppliedTcpSettings> {
  const { congestionControl, initialWindowSegments, fastOpen, mtuBytes } = settings;
  const { receiveBufferBytes, sendBufferBytes, slowStartAfterIdle, ecn } = settings;
  if (mtuBytes !== undefined && mtuBytes > mostMtuBytes)
    throw new AppError('testbed-refused', `mtuBytes ${tooLargeMtu}`);
  if (congestionControl !== undefined) await requireVariant(enter, congestionControl);

  await using undo = new AsyncDisposableStack();
  if (mtuBytes !== undefined) undo.use(await setMtu(enter, { interface: name, bytes: mtuBytes }));
  if (initialWindowSegments !== undefined)
    undo.use(await setInitialWindow(enter, { interface: name, segments: initialWindowSegments }));
  if (congestionControl !== undefined) undo.use(await setCongestionControl(enter, congestionControl));
  if (fastOpen !== undefined) undo.use(await setFastOpen(enter, fastOpen));
  if (receiveBufferBytes !== undefined)
    undo.use(await setReceiveBuffer(enter, { interface: name, bytes: receiveBufferBytes }));
  if (sendBufferBytes !== undefined) undo.use(await setSendBuffer(enter, sendBufferBytes));
  if (slowStartAfterIdle !== undefined) undo.use(await setSlowStartAfterIdle(enter, slowStartAfterIdle));
  if (ecn !== undefined) undo.use(await setEcn(enter, ecn));

  const connection = isEmpty(settings) ? null : await observeConnection(enter, peer);
  if (connection) refuseDifference(connection, settings);
  if (connection && receiveBufferBytes !== undefined) refuseOtherReceiveBuffer(connection, receiveBufferBytes);
  if (connection && ecn !== undefined) await refuseOtherEcn(peer.enter, { isOn: ecn, isUsed: connection.usesEcn });
  if (fastOpen !== undefined) await refuseOtherFastOpen(enter, fastOpen);
  const restore = undo.move();
  return { connection, [Symbol.asyncDispose]: () => restore.disposeAsync() };
}

/** As many as are set at a time: each takes two programs, and waits for a round trip of the link. */
const mostAtOnce = 8;

/** The same in several places. Where one cannot be set, none is. */
export async function applyTcpToAll(ends: readonly ApplyTcpOptions[]): Promise<AsyncDisposable> {
  await using undo = new AsyncDisposableStack();
  for (let first = 0; first < ends.length; first += mostAtOnce) {
    const tried = await Promise.allSettled(ends.slice(first, first + mostAtOnce).map(applyTcpSettings));
    for (const each of tried) if (each.status === 'fulfilled') undo.use(each.value);
    for (const each of tried) if (each.status === 'rejected') throw each.reason;
  }
  return undo.move();
}

function isEmpty(settings: TcpSettings): boolean {
  return Object.values(settings).every((value) => value === undefined);
}

function refuseDifference(
  actual: SocketReport,
  { congestionControl, initialWindowSegments, mtuBytes, sendBufferBytes }: TcpSettings,
): void {
  const differences = [
    { field: 'congestionControl', expected: congestionControl, found: actual.congestionControl },
    { field: 'initialWindowSegments', expected: initialWindowSegments, found: actual.windowSegments },
    { field: 'mtuBytes', expected: mtuBytes, found: actual.pathMtuBytes },
    { field: 'sendBufferBytes', expected: sendBufferBytes, found: actual.sendMemoryBytes },
  ].filter(({ expected, found }) => expected !== undefined && expected !== found);
  if (differences.length === 0) return;
  const described = differences.map(({ field, expected, found }) => `${field} is ${found}, not ${expected}`).join('; ');
  const isOwnWindow = differences.some(({ field }) => field === 'initialWindowSegments');
  const fix = isOwnWindow ? ` (some variants, such as hybla, set their own window: remove initialWindowSegments)` : '';
  throw new AppError('testbed-failed', `A new connection does not have the TCP settings: ${described}${fix}`);
}

async function refuseOtherFastOpen(enter: Enter, isOn: boolean): Promise<void> {
  const begunWithData = Number(
    await runIn(enter, process.execPath, path.join(import.meta.dirname, 'try-fast-open.ts')),
  );
  if (begunWithData > 0 === isOn) return;
  throw new AppError(
    'testbed-failed',
    `fastOpen was set to ${isOn}, but ${begunWithData} of the connections that tried it began with data`,
  );
}

/** The memory of each new connection for what it sends, which the kernel does not change then. Disposing puts the former limits back. */
function setSendBuffer(enter: Enter, bytes: number): Promise<AsyncDisposable> {
  return changeSettings(enter, { 'net/ipv4/tcp_wmem': `4096 ${bytes} ${bytes}` });
}

/** Whether the congestion window of a connection shrinks while it is idle (RFC 2861, as Linux has it). Disposing puts the former setting back. */
function setSlowStartAfterIdle(enter: Enter, isOn: boolean): Promise<AsyncDisposable> {
  return changeSettings(enter, { 'net/ipv4/tcp_slow_start_after_idle': isOn ? '1' : '0' });
}

/** The window that connections by this interface begin with, both ways: the kernel keeps it with the routes. Disposing puts these back as they were. */
function setInitialWindow(
  enter: Enter,
  { interface: name, segments }: { interface: string; segments: number },
): Promise<AsyncDisposable> {
  return changeRoutes(enter, {
    interface: name,
    attributes: { initcwnd: segments, initrwnd: segments },
    setting: 'initialWindowSegments',
  });
}

/** The largest packet that an interface sends. Disposing puts the former size back. */
async function setMtu(
  enter: Enter,
  { interface: name, bytes }: { interface: string; bytes: number },
): Promise<AsyncDisposable> {
  const [{ mtu: formerBytes, addr_info: addresses }] = InterfacesSchema.parse(
    JSON.parse(await runIn(enter, 'ip', '-json', 'address', 'show', 'dev', name)),
  );
  if (bytes < leastIpv6Bytes && addresses.some(({ family }) => family === 'inet6')) {
    throw new AppError(
      'testbed-refused',
      `mtuBytes: ${name} has IPv6 addresses, which it would lose below ${leastIpv6Bytes} bytes: set at least that, or remove the addresses`,
    );
  }
  const set = async (mtu: number) => {
    await runIn(enter, 'ip', 'link', 'set', 'dev', name, 'mtu', `${mtu}`);
  };
  await set(bytes);
  return { [Symbol.asyncDispose]: () => set(formerBytes) };
}

/** TCP Fast Open (RFC 7413): data in the first packet of a connection, for programs that ask for it. Disposing puts the former setting back. */
function setFastOpen(enter: Enter, isOn: boolean): Promise<AsyncDisposable> {
  return changeSettings(enter, { 'net/ipv4/tcp_fastopen': fastOpenValues[`${isOn}`] });
}

const name = 'net/ipv4/tcp_ecn';
/** Ask for it and accept it (1), or neither (0); Documentation/networking/ip-sysctl.rst. */
const values = { true: '1', false: '0' } as const;

/** Explicit Congestion Notification (RFC 3168) of new connections. Disposing puts the former setting back. */
function setEcn(enter: Enter, isOn: boolean): Promise<AsyncDisposable> {
  return changeSettings(enter, { [name]: values[`${isOn}`] });
}

/** Throws `testbed-failed` when a new connection to a peer does otherwise. A peer that refuses ECN lets no connection have it. */
async function refuseOtherEcn(peer: Enter, { isOn, isUsed }: { isOn: boolean; isUsed: boolean }): Promise<void> {
  if (isOn === isUsed || (isOn && (await readSetting(peer, name)) === '0')) return;
  throw new AppError('testbed-failed', `ecn is ${isOn}, but a new connection ${isUsed ? 'uses' : 'does not use'} it`);
}
