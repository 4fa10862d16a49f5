import type { Enter } from '../namespaces/run-in.ts';
import { changeSettings } from './kernel-setting.ts';

/** Whether the congestion window of a connection shrinks while it is idle (RFC 2861, as Linux has it). Disposing puts the former setting back. */
export function setSlowStartAfterIdle(enter: Enter, isOn: boolean): Promise<AsyncDisposable> {
  return changeSettings(enter, { 'net/ipv4/tcp_slow_start_after_idle': isOn ? '1' : '0' });
}
