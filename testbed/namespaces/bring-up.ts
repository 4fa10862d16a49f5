import { enterNamespace } from './network-namespaces.ts';
import { runTool } from './run-tool.ts';

/** The interface by which both ends, and users, send into the link. */
export const linkInterface = 'link0';

/** Without offloads, so that what passes are packets as on a wire, each with its checksum, and not heaps of them. */
export async function bringUp({ namespace, name }: { namespace: string; name: string }): Promise<void> {
  await runTool(
    ...enterNamespace(namespace),
    'ethtool',
    '-K',
    name,
    'tso',
    'off',
    'gso',
    'off',
    'gro',
    'off',
    'tx',
    'off',
    'rx',
    'off',
    'sg',
    'off',
  );
  await runTool('ip', '-n', namespace, 'link', 'set', name, 'up');
}
