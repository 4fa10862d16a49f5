import { ControllerClient } from '../controller/controller-client.ts';
import { readLocalAccess } from '../controller/controller-access.ts';
import { packageRoot } from '../package-root.ts';
import { showPlainly } from '../show-plainly.ts';
import { askHost } from './ask-host.ts';
import { forEachHost } from './for-each-host.ts';
import { formatStatus, type HostStatus } from './format-status.ts';
import { failIfAny, type HostsOrder } from './hosts-order.ts';
import { describeTarget } from './inventory/ssh-host.ts';
import { packProgram } from './program/pack-program.ts';

/** Prints what is on each host, and whether the Controller of this user on this machine has its Agent. */
export async function runHostsStatus({ hosts, options, homeFolder, signal, sayOf }: HostsOrder): Promise<void> {
  const local = await readLocalAccess(homeFolder);
  const agents = local && (await new ControllerClient(local, signal).listAgents());
  const { id: currentId } = await packProgram(packageRoot);
  const states = await forEachHost(hosts, options.parallel, async (host): Promise<HostStatus> => {
    const debug = options.verbose ? (line: string) => sayOf(host.name, line) : () => undefined;
    const answer = await askHost(host, 'status', { signal, debug });
    const isConnected = agents && (agents.find(({ name }) => name === host.name)?.isConnected ?? false);
    const known = { name: host.name, target: describeTarget(host), isConnected };
    if (answer.kind === 'failed') return { ...known, agent: 'unknown', program: 'unknown', reason: answer.reason };
    const find = (wanted: string) => answer.reports.find(({ word }) => word === wanted)?.rest ?? null;
    const programId = find('program');
    return {
      ...known,
      agent: readAgent(find('agent')),
      program: programId === null ? 'none' : programId === currentId ? 'current' : 'other',
      reason: null,
    };
  });
  const failed = states.filter(({ reason }) => reason !== null);
  for (const { name, reason } of failed) sayOf(name, reason!);
  process.stdout.write(
    options.json ? `${JSON.stringify({ hosts: states })}\n` : `${formatStatus(states).map(showPlainly).join('\n')}\n`,
  );
  failIfAny(
    failed.map(({ name }) => name),
    hosts,
  );
}

/** Null where none runs. */
function readAgent(text: string | null): HostStatus['agent'] {
  return text === 'channel' || text === 'service' || text === 'stopped' ? text : 'none';
}
