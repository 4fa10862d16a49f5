import type { Enter } from '../namespaces/run-in.ts';
import { changeSettings } from './kernel-setting.ts';

const name = 'net/ipv4/tcp_fastopen';
/** Clients that ask for it (1), servers (2), and all of these without their asking (0x400); Documentation/networking/ip-sysctl.rst. */
const values = { true: String(0x1 | 0x2 | 0x400), false: '0' } as const;

/** TCP Fast Open (RFC 7413): data in the first packet of a connection, for programs that ask for it. Disposing puts the former setting back. */
export function setFastOpen(enter: Enter, isOn: boolean): Promise<AsyncDisposable> {
  return changeSettings(enter, { [name]: values[`${isOn}`] });
}
