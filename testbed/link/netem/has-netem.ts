import { runTool, ToolError } from '../../namespaces/run-tool.ts';
import type { TestbedNetwork } from '../../namespaces/testbed-network.ts';

/** Whether this kernel has netem, found by trying it on the loopback interface of `satellite`, which nobody uses. */
export async function hasNetem({ namespaces }: TestbedNetwork): Promise<boolean> {
  try {
    await runTool('tc', '-n', namespaces.satellite, 'qdisc', 'add', 'dev', 'lo', 'root', 'netem', 'delay', '1ms');
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
  await runTool('tc', '-n', namespaces.satellite, 'qdisc', 'delete', 'dev', 'lo', 'root');
  return true;
}
