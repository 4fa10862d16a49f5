import type { LinkInterfaces } from '../link/link-backend.ts';
import { runTool } from '../namespaces/run-tool.ts';

/** Joins two interfaces of a namespace by a bridge of the kernel, which adds some hundredths of a millisecond. Disposing takes it away. */
export async function joinByWire(namespace: string, { ground, remote }: LinkInterfaces): Promise<AsyncDisposable> {
  const bridge = `br-${ground}`;
  await runTool('ip', '-n', namespace, 'link', 'add', bridge, 'type', 'bridge', 'mcast_snooping', '0');
  const remove = async () => {
    await runTool('ip', '-n', namespace, 'link', 'delete', bridge);
  };
  try {
    for (const port of [ground, remote]) await runTool('ip', '-n', namespace, 'link', 'set', port, 'master', bridge);
    await runTool('ip', '-n', namespace, 'link', 'set', bridge, 'up');
    return { [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
