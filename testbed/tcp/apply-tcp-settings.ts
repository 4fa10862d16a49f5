import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import type { TcpSettings } from '#core/evaluation/network/tcp-settings.ts';
import { runIn, type Enter } from '../namespaces/run-in.ts';
import { observeConnection } from './observe-connection.ts';
import { requireVariant, setCongestionControl } from './set-congestion-control.ts';
import { refuseOtherEcn, setEcn } from './set-ecn.ts';
import { setFastOpen } from './set-fast-open.ts';
import { setInitialWindow } from './set-initial-window.ts';
import { setMtu } from './set-mtu.ts';
import { refuseOtherReceiveBuffer, setReceiveBuffer } from './set-receive-buffer.ts';
import { setSendBuffer } from './set-send-buffer.ts';
import { setSlowStartAfterIdle } from './set-slow-start-after-idle.ts';
import type { SocketReport } from './socket-report.ts';

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
