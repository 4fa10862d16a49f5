import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { LinkAgents, OrderCounts } from './link-agents.ts';
import { readTreeCpuMs } from './read-tree-cpu.ts';

export interface LinkAgentsProcess extends AsyncDisposable {
  readCpuMs(): number;
  countOrders(): Promise<OrderCounts>;
}

/** Agents in a process of their own, all connected. */
export async function startLinkAgents(agents: LinkAgents): Promise<LinkAgentsProcess> {
  const child = fork(path.join(import.meta.dirname, 'link-agents.ts'), [JSON.stringify(agents)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const exited = once(child, 'exit');
  const [started] = (await Promise.race([once(child, 'message'), exited])) as unknown[];
  if (started !== 'connected') throw new Error('The Agents ended before all of them were connected');
  return {
    readCpuMs: () => readTreeCpuMs(child.pid!),
    countOrders: async () => {
      const answered = once(child, 'message');
      child.send('counts');
      const [counts] = (await answered) as [OrderCounts];
      return counts;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
