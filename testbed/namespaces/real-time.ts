import { availableParallelism } from 'node:os';
import { runTool, ToolError } from './run-tool.ts';

/**
 * The words before a command that let it run before all ordinary processes, where the machine allows that; none elsewhere. What keeps time for others must
 * not wait for a CPU that they keep busy. They take turns (SCHED_RR), so that one that never sleeps does not keep the others waiting, such as those of another testbed.
 * On a single CPU it would keep the kernel's own threads waiting, which move packets too.
 */
export async function findRealTimePrefix(): Promise<string[]> {
  const prefix = ['chrt', '--rr', '50'] as const;
  if (availableParallelism() === 1) return [];
  try {
    await runTool(...prefix, 'true');
    return [...prefix];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return [];
  }
}
