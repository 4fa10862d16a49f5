import { runTool } from '#testbed/namespaces/run-tool.ts';
import { satelliteInterfaces } from '#testbed/namespaces/connect-ends.ts';
import type { TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';

/** No link at all: the kernel passes frames between the two ends by a bridge. What it does is the most that a link in between could do here. */
export async function openBareLink({ namespaces }: TestbedNetwork): Promise<AsyncDisposable> {
  const bridge = 'bare';
  await runTool('ip', '-n', namespaces.satellite, 'link', 'add', bridge, 'type', 'bridge', 'mcast_snooping', '0');
  for (const port of Object.values(satelliteInterfaces))
    await runTool('ip', '-n', namespaces.satellite, 'link', 'set', port, 'master', bridge);
  await runTool('ip', '-n', namespaces.satellite, 'link', 'set', bridge, 'up');
  return {
    [Symbol.asyncDispose]: async () => {
      await runTool('ip', '-n', namespaces.satellite, 'link', 'delete', bridge);
    },
  };
}
