import { readFileSync } from 'node:fs';
import os from 'node:os';
import type { HostFacts } from '#core/protocol/host-facts.ts';

/** What the Controller takes: a machine of many containers may have more. */
const maximumInterfaces = 256;
const maximumAddresses = 64;
const maximumText = 64;

/** What this machine is. `engines` are those that were started for a try, with the version that they reported. */
export function readHostFacts(
  known: Pick<HostFacts, 'engines' | 'scriptsAllowed' | 'anyPreferenceAllowed' | 'origin' | 'testbed' | 'bySsh'>,
): HostFacts {
  return {
    hostname: os.hostname(),
    machineId: readMachineId(),
    platform: os.platform(),
    architecture: os.arch(),
    release: os.release(),
    cpuCount: Math.max(1, os.cpus().length),
    memoryBytes: os.totalmem(),
    nodeVersion: process.version,
    interfaces: Object.entries(os.networkInterfaces())
      .slice(0, maximumInterfaces)
      .map(([name, addresses = []]) => ({
        name: name.slice(0, maximumText),
        addresses: addresses.slice(0, maximumAddresses).map(({ address }) => address.slice(0, maximumText)),
      })),
    ...known,
  };
}

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
