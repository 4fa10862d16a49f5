import type { HostFacts } from '#core/protocol/host-facts.ts';

/** What an Agent might report of its Host. */
export const hostFacts: HostFacts = {
  hostname: 'lab',
  machineId: null,
  platform: 'linux',
  architecture: 'x64',
  release: '6.1',
  cpuCount: 2,
  memoryBytes: 4 * 2 ** 30,
  nodeVersion: 'v24',
  interfaces: [{ name: 'eth0', addresses: ['192.0.2.7'] }],
  engines: [{ engine: 'chrome', version: 'Chromium 150' }],
  origin: null,
  testbed: null,
  scriptsAllowed: false,
  anyPreferenceAllowed: false,
};
