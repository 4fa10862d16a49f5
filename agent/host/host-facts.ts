import os from 'node:os';
import type { HostFacts } from '#core/protocol/agent-messages.ts';

/** What this machine is. `engines` are those that were started for a try, with the version that they told. */
export function readHostFacts(known: Pick<HostFacts, 'engines' | 'scriptsAllowed' | 'testbed'>): HostFacts {
  return {
    hostname: os.hostname(),
    platform: os.platform(),
    architecture: os.arch(),
    release: os.release(),
    cpuCount: Math.max(1, os.cpus().length),
    memoryBytes: os.totalmem(),
    nodeVersion: process.version,
    interfaces: Object.entries(os.networkInterfaces()).map(([name, addresses]) => ({
      name,
      addresses: (addresses ?? []).map(({ address }) => address),
    })),
    ...known,
  };
}
