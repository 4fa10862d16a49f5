import { AppError } from '#core/app-error.ts';
import type { Enter } from '../namespaces/run-in.ts';
import { changeSettings, readSetting } from './kernel-setting.ts';

const name = 'net/ipv4/tcp_ecn';
/** Ask for it and accept it (1), or neither (0); Documentation/networking/ip-sysctl.rst. */
const values = { true: '1', false: '0' } as const;

/** Explicit Congestion Notification (RFC 3168) of new connections. Disposing puts the former setting back. */
export function setEcn(enter: Enter, isOn: boolean): Promise<AsyncDisposable> {
  return changeSettings(enter, { [name]: values[`${isOn}`] });
}

/** Throws `testbed-failed` when a new connection to a peer does otherwise. A peer that refuses ECN lets no connection have it. */
export async function refuseOtherEcn(peer: Enter, { isOn, isUsed }: { isOn: boolean; isUsed: boolean }): Promise<void> {
  if (isOn === isUsed || (isOn && (await readSetting(peer, name)) === '0')) return;
  throw new AppError('testbed-failed', `ecn is ${isOn}, but a new connection ${isUsed ? 'uses' : 'does not use'} it`);
}
