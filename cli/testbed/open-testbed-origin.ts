import path from 'node:path';
import type { TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { fixedPorts, listenerNames, listenerSettings } from '#testbed/origin/listeners.ts';
import type { OriginOptions } from '#testbed/origin/origin-options.ts';
import { startOriginProcess, type OriginProcess } from '../origin/start-origin-process.ts';

/** Of the pages of the papers. */
const preparedImageSizes = [1_000, 5_000, 15_000, 20_000, 100_000];

/** The origin of `testbed up --origin`: all listeners on their fixed ports, and the key that `./http-ae origin` has on this machine. */
export async function openTestbedOrigin(
  network: TestbedNetwork,
  { homeFolder, http3 = false }: { homeFolder: string; http3?: boolean | undefined },
): Promise<OriginProcess> {
  return await startOriginInGround(network, {
    listeners: 'all',
    http3,
    ports: fixedPorts,
    authorityFolder: originFolder(homeFolder),
    imageSizes: preparedImageSizes,
  });
}

/** Where the authority is that signs the certificates of the origin, and of hosts with names. */
export function originFolder(homeFolder: string): string {
  return path.join(homeFolder, 'origin');
}

/** What a document of `--json` has of it. */
export function describeOrigin(
  origin: OriginProcess | null,
): Pick<OriginProcess, 'urls' | 'ipv6Urls' | 'trustedKey'> | null {
  return origin && { urls: origin.urls, ipv6Urls: origin.ipv6Urls, trustedKey: origin.trustedKey };
}

/** A line for each listener. */
export function listOrigin({
  urls,
  ipv6Urls,
  trustedKey,
}: Pick<OriginProcess, 'urls' | 'ipv6Urls' | 'trustedKey'>): string {
  const lines = listenerNames.flatMap((name) =>
    urls[name] === undefined ? [] : [`  ${urls[name].padEnd(26)} ${listenerSettings(name).purpose}`],
  );
  return [
    `The origin in ground:`,
    ...lines,
    ...(ipv6Urls ? [`The same ports by IPv6, such as ${ipv6Urls.http!}`] : []),
    `Key of the origin, "trustedKeys: testbed" in Scenarios: ${trustedKey}`,
  ].join('\n');
}

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
