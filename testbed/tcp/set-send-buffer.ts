import type { Enter } from '../namespaces/run-in.ts';
import { changeSettings } from './kernel-setting.ts';

/** The memory of each new connection for what it sends, which the kernel does not change then. Disposing puts the former limits back. */
export function setSendBuffer(enter: Enter, bytes: number): Promise<AsyncDisposable> {
  return changeSettings(enter, { 'net/ipv4/tcp_wmem': `4096 ${bytes} ${bytes}` });
}
