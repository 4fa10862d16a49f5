import { runTool, ToolError } from '../../namespaces/run-tool.ts';
import type { TestbedNetwork } from '../../namespaces/testbed-network.ts';

const known = new WeakMap<TestbedNetwork, Promise<boolean>>();

/** Whether this kernel has netem, found by trying it once on the loopback interface of `satellite`, which nobody uses. */
export function hasNetem(network: TestbedNetwork): Promise<boolean> {
  const found = known.get(network) ?? tryNetem(network);
  known.set(network, found);
  return found;
}

async function tryNetem({ namespaces }: TestbedNetwork): Promise<boolean> {
  try {
    await runTool('tc', '-n', namespaces.satellite, 'qdisc', 'add', 'dev', 'lo', 'root', 'netem', 'delay', '1ms');
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
  await runTool('tc', '-n', namespaces.satellite, 'qdisc', 'delete', 'dev', 'lo', 'root');
  return true;
}
