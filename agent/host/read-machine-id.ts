import { readFileSync } from 'node:fs';

/** The kernel under this process, as all containers of a machine see it, until it is started again. https://man7.org/linux/man-pages/man5/proc_sys_kernel.5.html */
const bootIdFile = '/proc/sys/kernel/random/boot_id';

/** Null on systems without it, such as macOS. */
export function readMachineId(): string | null {
  try {
    return readFileSync(bootIdFile, 'utf8').trim().slice(0, 64);
  } catch {
    return null;
  }
}
