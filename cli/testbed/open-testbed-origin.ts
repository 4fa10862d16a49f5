import path from 'node:path';
import type { TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { fixedPorts, listenerNames, listenerSettings } from '#testbed/origin/listeners.ts';
import { startOriginInGround, type OriginInGround } from './start-origin-in-ground.ts';

/** Of the pages of the papers. */
const preparedImageSizes = [1_000, 5_000, 15_000, 20_000, 100_000];

/** The origin of `testbed up --origin`: all listeners on their fixed ports, and the key that `./http-ae origin` has on this machine. */
export async function openTestbedOrigin(network: TestbedNetwork, homeFolder: string): Promise<OriginInGround> {
  return await startOriginInGround(network, {
    listeners: 'all',
    ports: fixedPorts,
    authorityFolder: path.join(homeFolder, 'origin'),
    imageSizes: preparedImageSizes,
  });
}

/** What a document of `--json` has of it. */
export function describeOrigin(
  origin: OriginInGround | null,
): { urls: Record<string, string>; trustedKey: string } | null {
  return origin && { urls: origin.urls, trustedKey: origin.trustedKey };
}

/** A line for each listener. */
export function listOrigin({ urls, trustedKey }: { urls: Record<string, string>; trustedKey: string }): string {
  const lines = listenerNames.flatMap((name) =>
    urls[name] === undefined ? [] : [`  ${urls[name].padEnd(26)} ${listenerSettings(name).purpose}`],
  );
  return [
    `The origin in ground:`,
    ...lines,
    `Key of the origin, "trustedKeys: testbed" in Scenarios: ${trustedKey}`,
  ].join('\n');
}
