import type { TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import type { OriginOptions } from '#testbed/origin/origin-options.ts';
import { startOriginProcess, type OriginProcess } from '../origin/start-origin-process.ts';

/** The origin as a process in `ground`, at its addresses on the emulated link. It ends with the namespace at the latest. */
export function startOriginInGround(
  network: TestbedNetwork,
  options: Omit<OriginOptions, 'host' | 'ipv6Host'> = {},
): Promise<OriginProcess> {
  return startOriginProcess(
    { ...options, host: network.ground.address, ipv6Host: network.ground.ipv6Address ?? undefined },
    { prefix: network.enter('ground') },
  );
}
